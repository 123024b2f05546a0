#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# delaplace topics update: new documents taken into a model, in its place or in another folder.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
# shellcheck source=tests/cli/topics.sh
source "$(dirname "$0")/topics.sh"

try 0 corpus split "$packages" -o old.ldac --test new.ldac --every 3 -q
seq -f old%g 400 >old.docs
seq -f new%g 200 >new.docs
try 0 topics fit old.ldac -k 4 -o model -q

# Into another folder, then in its place: the same bytes at any number of threads.
try 0 topics update model new.ldac -o other --threads 1
has out "200 documents of"
has out "added to the 400 that the model had."
has out "Written to other"
cp -r model kept
try 0 topics update model new.ldac --threads 3 -q
is_empty out
same_model other model
equal documents "$(json model/model.json D)" 600
try 0 topics show model
has out "from 600 documents"
try 0 topics infer model new.ldac -o shares.csv -q
equal rows "$(wc -l <shares.csv)" 201

# Once more: there are two updates, and names that were there are reported.
try 0 topics update model new.ldac
has out "200 documents have a name that the model already has"
equal updates "$(grep -c '"weight"' model/model.json)" 2
try 0 topics update kept new.ldac --weight 0.25 -o light
has out "Each of those now counts as 0.25 of a new one."
equal weight "$(json light/model.json sums documents)" 300.0

# The fit of all documents is not what is there.
try 0 corpus convert "$packages" -o all.ldac -q
try 0 topics fit all.ldac -k 4 -o other --resume
has err "has no checkpoint; starting from the beginning"

# New terms are added or left out.
printf '2 0:3 1:2\n1 1:5\n' >two.ldac
printf '%s\n' "$(head -1 kept/vocab.txt)" zyxwv >two.vocab
try 0 topics update kept two.ldac -o added
has out "1 term is new, with 7 of these words."
equal "the last term" "$(tail -1 added/vocab.txt)" zyxwv
try 0 topics update kept two.ldac --new-terms drop -o dropped
has out "7 words are not in the model's vocabulary and left out."
same kept/vocab.txt dropped/vocab.txt
printf '1 0:1\n' >none.ldac
echo zyxwv >none.vocab
try 1 topics update kept none.ldac --new-terms drop -o none
has err "none of the model's terms"
[[ ! -e none ]] || fail "a folder was left"

# An update that ends by its limit is a model; no checkpoint is left for a fit to continue from.
try 3 topics fit old.ldac -k 4 -o short --max-iter 2 -q
[[ -e short/checkpoint ]] || fail "there is no checkpoint"
try 3 topics update short new.ldac --max-iter 2 -q
[[ ! -e short/checkpoint ]] || fail "the checkpoint was left"

# What cannot be.
try 0 topics fit old.ldac -k 4 -o dirichlet --prior dirichlet --tol 1e-2 -q
try 2 topics update dirichlet new.ldac
has err "new documents cannot be added to a model with a Dirichlet prior"
try 1 topics update nothing new.ldac
has err "a topic model is a folder"
try 1 topics update kept absent.ldac -o none
[[ ! -e none ]] || fail "a folder was left"
