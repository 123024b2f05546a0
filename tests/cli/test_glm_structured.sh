#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Autoregressions, long walks and regions on the command line: what is printed and kept, new times
# and groups, priors in words, and input that cannot tell. The numbers that come with a
# tolerance are what the data were drawn from.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

near() {
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a - b < t && b - a < t) }' ||
        fail "$1 is $2, not $3"
}
json() { "$json_get" "$@"; }
draw='function u() { s = (s * 16807) % 2147483647; return s / 2147483647 }
function z() { return sqrt(-2 * log(u())) * cos(6.283185307 * u()) }'
awk "$draw"'
BEGIN {
    s = 815; print "g,t,hour,x,y,n,one,even,half"
    for (g = 1; g <= 12; g++) {
        v = 1.5 * z(); h = 0
        for (t = 1; t <= 20; t++) {
            v = 0.7 * v + 1.5 * sqrt(0.51) * z(); x = z(); h += 0.2 + u()
            if (u() < 0.1) continue
            printf "g%02d,%d,%.4f,%.3f,%.4f,%d,one,%d,%s\n", g, t, h, x, 2 + 0.5 * x + v + 0.4 * z(),
                int(exp(1 + 0.4 * v + 0.2 * z())), t % 2, g < 6 ? "a" : "b"
        }
    }
}' >series.csv

# ---- smooths as by mgcv ----
# gam(method = "REML")'s curves and standard errors at x = z = .1, .3 ... .9, of which s(z) is straight; modes of the sds
# are found although the likelihood is flat in small ones
awk 'function u() { s = s * 16807 % 2147483647; return s / 2147483647 }
BEGIN {
    s = 31; for (i = 0; i < 20; i++) u()
    print "x,z,n,b"
    for (i = 0; i < 200; i++) {
        x = u(); z = u(); m = exp(1 + sin(6.3 * x)); n = 0; p = u(); q = t = exp(-m)
        while (p > t) { n++; q *= m / n; t += q }
        printf "%.4f,%.4f,%d,%d\n", x, z, n, u() < 1 / (1 + exp(-2 * sin(6.3 * x)))
    }
}' >wave.csv
printf 'x,z\n.1,.1\n.3,.3\n.5,.5\n.7,.7\n.9,.9\n' >at.csv
as_gam() { # formula, family, prior of the sds, eta and its standard error
    try 0 glm fit "$1" --family "$2" --data wave.csv --hyper map --method laplace --prior "sd ~ $3" -o gam.json
    try 0 glm predict gam.json --data at.csv -o gam.out
    tail -n +2 gam.out | paste -d, - <(tr ' ' '\n' <<<"$4") |
        awk -F, '{ m = ($2 - $8) / $9; r = $3 / $9; if (m * m > 4e-4 || r < 0.99 || r > 1.01) exit 1 }' ||
        fail "$1 with sd ~ $3: $(cat gam.out)"
}
for prior in 'lognormal(0, 100)' 'lognormal(-5, 100)'; do
    as_gam 'n ~ s(x) + s(z)' poisson "$prior" \
        "1.44809,0.10363 1.90786,0.08071 0.93413,0.11103 0.21773,0.13641 0.53984,0.14280"
    as_gam 'b ~ s(x) + s(z)' bernoulli "$prior" \
        "0.52077,0.39877 0.99372,0.34010 0.02956,0.30772 -1.15334,0.33792 -1.32847,0.44903"
done

# by default such a fit of few rows has a doubt, which a Gaussian response has not
try 0 glm fit 'b ~ s(x)' --family bernoulli --data wave.csv -o gam.json
has out "Doubt: with so few rows"
try 0 glm fit 'z ~ s(x)' --data wave.csv -o gam.json
grep -q Doubt out && fail "a doubt: $(cat out)"

# ---- autoregressions ----
try 0 glm fit 'y ~ x + ar1(t | g)' --data series.csv -o ar.json
has out "random     ar1(t | g): "
has out " values in 12 series"
has out "sd(ar1(t | g)) ~ half_t(3, "
has out "cor(ar1(t | g)) ~ lkj(1)"
has out "  correlation 1 apart "
near sd "$(json ar.json sds 0 mean)" 1.5 0.5
near correlation "$(json ar.json random 0 process second 0)" 0.7 0.2
near slope "$(json ar.json coefficients 1 mean)" 0.5 0.2
equal kind "$(json ar.json random 0 process kind)" ar1
for threads in 1 3; do
    try 0 glm fit 'y ~ x + ar1(t | g)' --data series.csv -o again.json -q --threads $threads
    same again.json ar.json
done
# spaces do not matter
try 0 glm fit 'y~x+ar1(t|g)' --data series.csv -o again.json -q --prior 'sd(ar1(t|g)) ~ exponential(1)' \
    --prior 'cor(ar1(t | g)) ~ lkj(2)'
try 0 glm show again.json
has out "sd(ar1(t | g)) ~ exponential(1), stated"
has out "cor(ar1(t | g)) ~ lkj(2), stated"
# the sd grows from the last value to that of a new group, and no further
printf 'g,t,x\ng01,20,0\ng01,21,0\ng01,24,0\ng01,200,0\nnew,3,0\n' >new.csv
try 0 glm predict ar.json --data new.csv -o new.out
has out "1 row of 1 new group"
awk -F, 'NR > 2 { if ($3 < last - 1e-9) exit 1 } NR > 1 { last = $3; sd[NR] = $3 }
    END { d = sd[5] - sd[6]; exit !(d < 1e-6 && d > -1e-6 && sd[2] < 0.8 * sd[6]) }' new.out ||
    fail "the sds of later times: $(cat new.out)"
try 0 glm predict ar.json --data new.csv -o none.out --effects none
equal "rows without effects" "$(cut -d, -f2 none.out | sort -u | wc -l)" 2
printf 'x,t\n0,3\n' >bare.csv
try 0 glm predict ar.json --data bare.csv -o none.out --effects new
try 1 glm predict ar.json --data new.csv -o none.out --unseen error
try 0 report ar.json -o ar.html
# one series; distances that are no multiples of a step; counts; beside other effects
try 0 glm fit 'y ~ ar1(t) + (1 | g)' --data series.csv -o one.json
has out "ar1(t): 20 values"
try 0 glm fit 'y ~ x + ar1(hour | g)' --data series.csv -o hours.json
has out "  correlation 0."
near "sd over hours" "$(json hours.json sds 0 mean)" 1.5 0.6
try 0 glm fit 'n ~ x + (1 | g) + ar1(t | g) + s(hour)' --family poisson --data series.csv -o counts.json
has out "The fit converged"
try 0 glm predict counts.json --data series.csv -o counts.out
! grep -q nan counts.out || fail "predictions that are not numbers"
try 0 glm evaluate counts.json --data series.csv
try 0 glm fit 'y ~ x + ar1(t | g)' --data series.csv -o map.json --hyper map
has out "scales at their mode"
try 0 glm show map.json

# ---- walks ----
awk "$draw"'
BEGIN { s = 99; print "t,y"; for (t = 1; t <= 700; t++) { w += 0.1 * z(); printf "%d,%.4f\n", t, w + 0.5 * z() } }' >walk.csv
try 0 glm fit 'y ~ rw1(t)' --data walk.csv -o long.json
has out "rw1(t): 700 values"
try 0 glm fit 'y ~ rw2(t)' --data walk.csv -o long2.json
head -400 walk.csv >short.csv
try 0 glm fit 'y ~ rw1(t)' --data short.csv -o short.json --prior 'sd(rw1(t)) ~ pc(3, 0.05)'
has out "sd(rw1(t)) ~ exponential(0.99"
has out ", stated"
try 0 glm fit 'y ~ rw2(t)' --data short.csv -o short2.json
printf 't\n399\n400\n700\n701\n720\n900\n' >later.csv
for fit in long long2 short short2; do
    try 0 glm predict $fit.json --data later.csv -o later.out
    awk -F, 'NR > 5 { if (!($3 > last)) exit 1 } { last = $3 }' later.out ||
        fail "the sd of $fit does not grow: $(cat later.out)"
done
# from 700 to 900, of a walk whose steps have the sd 0.1: 1.4
try 0 glm predict long.json --data later.csv -o later.out
near "the sd later" "$(awk -F, 'END { print $3 }' later.out)" 1.45 0.5

# ---- regions ----
cat >map.txt <<'END'
a b d
b c e
c f
d e
e f
x y
island
END
awk "$draw"'
BEGIN { s = 5; print "region,y,n"; m = split("a b c d e x y island", r, " ")
    for (i = 1; i <= m; i++) for (k = 0; k < 6; k++) printf "%s,%.4f,%d\n", r[i], i % 3 + z(), int(exp(i % 3)) + int(3 * u()) }' >regions.csv
try 0 glm fit 'n ~ bym2(region)' --family poisson --data regions.csv --adjacency map.txt -o bym2.json \
    --prior 'share(bym2(region)) ~ beta(2, 2)'
has out "bym2(region): 9 regions"
has out "share(bym2(region)) ~ beta(2, 2), stated"
has out "share of neighbours"
# the file has the neighbours: the model can be fitted again
try 0 glm check bym2.json --data regions.csv
has out "share(bym2(region))"
try 0 glm compare bym2.json --data regions.csv
try 0 glm cv bym2.json --data regions.csv --folds 3
sed 's/"weights": \[0.*\]/"weights": []/' bym2.json >without.json
try 1 glm check without.json --data regions.csv
has err "does not hold the neighbours"
printf 'region\nf\nisland\na\n' >places.csv # f has no rows
try 0 glm predict bym2.json --data places.csv -o places.out
awk -F, 'NR == 2 { f = $3 } NR == 4 { exit !(f > $3) }' places.out || fail "a region without rows is not less certain"
try 0 report bym2.json -o bym2.html
# the order of terms is no part of the model, nor of their priors
awk -F, 'NR == 1 { print $0 ",g" } NR > 1 { print $0 ",g" NR % 4 }' regions.csv >both.csv
try 0 glm fit 'n ~ bym2(region) + (1 | g)' --family poisson --data both.csv --adjacency map.txt -o one.json
try 0 glm fit 'n ~ (1 | g) + bym2(region)' --family poisson --data both.csv --adjacency map.txt -o two.json
near "the evidence by another order" "$(json one.json objective)" "$(json two.json objective)" 0.001
near "the mean by another order" "$(json one.json coefficients 0 mean)" "$(json two.json coefficients 0 mean)" 0.001
printf 'region\nnowhere\n' >nowhere.csv
try 1 glm predict bym2.json --data nowhere.csv -o places.out
try 1 glm fit 'n ~ bym2(region)' --data regions.csv -o no.json
has err "--adjacency"

# ---- smooths ----
try 0 glm fit 'y ~ s(hour) + s(x, by = half)' --data series.csv -o smooth.json --prior 'sd ~ exponential(2)' \
    --prior 'sd(s(x)) ~ half_normal(1)' --prior 'sd(s(x):halfb) ~ half_normal(3)'
has out "sd(s(hour)) ~ exponential(2), stated"
has out "sd(s(x):halfa) ~ half_normal(1), stated"
has out "sd(s(x):halfb) ~ half_normal(3), stated"
try 0 glm show smooth.json --svg smooth.svg
has smooth.svg "s(x):halfb"
try 0 report smooth.json --data series.csv -o smooth.html
has smooth.html '"s(x):halfb"'
try 0 glm fit 'y ~ s(hour)' --data series.csv -o fixed.json --prior 'sd(s(hour)) = 0.5'
has out "fixed(0.5), stated"
try 2 glm fit 'y ~ s(hour)' --data series.csv -o no.json --prior 'sd(s(hours)) ~ exponential(2)'
has err "did you mean 's(hour)'"
try 2 glm fit 'y ~ s(hour)' --data series.csv -o no.json --prior 'share(s(hour)) ~ beta(1, 1)'
has err "only bym2(region) has a share"
try 2 glm fit 'y ~ s(hour)' --data series.csv -o no.json --prior 'sd(s(hour), x) ~ exponential(2)'
has err "a smooth has one sd"

# ---- what cannot be ----
try 1 glm fit 'y ~ ar1(t | one)' --data series.csv -o no.json
has err "ar1(t)"
try 1 glm fit 'y ~ ar1(even)' --data series.csv -o no.json
has err "needs three successive values"
try 1 glm fit 'y ~ rw1(t | g)' --data series.csv -o no.json
has err "ar1(t | g) can"
try 1 glm fit 'y ~ ar1(t, by = g)' --data series.csv -o no.json
has err "ar1(t | g)"
try 1 glm fit 'y ~ ar1(g)' --data series.csv -o no.json
awk 'BEGIN { print "t,y,g"; for (i = 0; i < 2100; i++) print i "," i % 7 "," i % 2 }' >many.csv
try 1 glm fit 'y ~ rw2(t)' --data many.csv -o no.json
has err "takes up to 2000"
try 1 glm fit 'y ~ rw1(t, by = g)' --data many.csv -o no.json
has err "it cannot be by a column"
# noise: one row per value, and nothing follows from what was before
awk "$draw"'
BEGIN { s = 11; print "t,y,b,g"; for (t = 1; t <= 80; t++) printf "%d,%.4f,%d,g%d\n", t, z(), u() < 0.5, t % 20 }' >noise.csv
try 0 glm fit 'y ~ ar1(t)' --data noise.csv -o noise.json
has out "its correlation may be 0"
! grep -q nan out noise.json || fail "numbers that are not numbers"
near "the sd of noise" "$(json noise.json sds 0 mean)" 0.9 0.4
try 0 glm fit 'b ~ ar1(t)' --data noise.csv -o noise.json
! grep -q nan out noise.json || fail "numbers that are not numbers"
try 0 glm fit 'y ~ (1 | g)' --data noise.csv -o noise.json
has out "The sd of '(Intercept)' by 'g' may well be 0"
