#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The demo: it finds its data, says what it does, and what it says can be typed again.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

# The data that ship take a few seconds to fit; every fourteenth package will do here.
mkdir data
cp "$project"/data/{challenger,challenger-last,admissions}.csv data
try 0 corpus split "$project/data/packages.ldac" --every 14 -o rest.ldac \
    --test data/packages.ldac --quiet
cp "$project/data/packages.csv" data
try 0 demo --data data -o seen
is_empty err
for file in packages.html challenger.html admissions.html challenger.json packages/model.json; do
    [[ -s seen/$file ]] || fail "the demo leaves no $file"
done
has out "\$ delaplace topics fit data/packages.ldac -k 30 -o seen/packages"
has out "seen/packages.html"
equal "the number of steps" "$(grep -c '^\$ delaplace ' out)" 9
# What it says of the admissions is so: together above 0, department by department below.
positive=$("$json_get" seen/pooled.json coefficients 1 lower)
negative=$("$json_get" seen/admissions.json coefficients 1 mean)
[[ $positive != -* && $negative == -* ]] || fail "gender: $positive together, $negative apart"

# Each step again, as it was printed: the same files.
mkdir again bin
ln -s "$program" bin/delaplace
sed -n 's/^\$ //p' out | sed 's:seen/:again/:g' >steps
PATH=$work/bin:$PATH bash -e steps >said 2>err || fail "the printed steps do not run"
for file in challenger.json packages/model.json packages/theta.npy; do
    same "seen/$file" "again/$file"
done

# Quietly, over what is there: nothing on the screen.
try 0 demo -q --data data -o seen
is_empty out
is_empty err

# The data that ship are found relative to the program, under whatever name it runs.
ln -s "$program" link
: >wall
code=0
./link demo -o wall >out 2>err || code=$?
equal "the exit code" "$code" 4
has err "wall/packages: cannot make the folder"

# What is missing is said, and nothing is left behind.
try 1 demo --data nowhere -o nothing
has err "nowhere: has no packages.ldac"
try 1 demo --data data/packages.csv -o nothing
[[ ! -e nothing ]] || fail "a folder without a demo"
cp "$program" alone
code=0
./alone demo -o nothing >out 2>err || code=$?
equal "the exit code" "$code" 1
has err "--data"
rm data/challenger.csv
try 1 demo -q --data data -o seen
has err "challenger.csv"
