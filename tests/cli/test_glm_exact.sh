#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Logistic regression of the Challenger data beside its exact posterior, by quadrature:
# how far each method is off. Prints the table that docs/regression.md shows.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
data=$project/data/challenger.csv

# exact PRIOR_SD: mean and sd of the intercept and of the slope, by the trapezoidal rule
# over a box that holds all of the posterior.
exact() {
    tail -n +2 "$data" | awk -F, -v s="$1" '
    { x[NR] = $2; y[NR] = $6 == "yes"; sum += $2 }
    END {
        for (i = 1; i <= NR; i++) squares += (x[i] - sum / NR) ^ 2
        for (i = 1; i <= NR; i++) x[i] = (x[i] - sum / NR) / sqrt(squares / (NR - 1))
        for (a = -7; a < 5; a += 0.06) for (b = -9; b < 5; b += 0.07) {
            log_p = -(a * a + b * b) / (2 * s * s)
            for (i = 1; i <= NR; i++) {
                eta = a + b * x[i]
                log_p += (y[i] ? eta : 0) - log(1 + exp(eta))
            }
            p = exp(log_p); P += p
            A += p * a; AA += p * a * a; B += p * b; BB += p * b * b
        }
        printf "%.6f %.6f %.6f %.6f\n", A / P, sqrt(AA / P - (A / P) ^ 2),
            B / P, sqrt(BB / P - (B / P) ^ 2)
    }'
}

row() {
    printf '| %8s | %-15s | %9.4f | %6.4f | %8s | %8s |\n' "$@"
}

# compare PRIOR_SD METHOD MEAN_LIMIT SD_LIMIT MEAN SD: the slope of a fit beside the exact
# one; the distance in sds, and the ratio of sds less one, stay within the limits.
compare() {
    local mean sd off ratio
    try 0 glm fit 'distress ~ scale(temperature)' --prior-sd "$1" --method "$2" \
        --data "$data" -o fit.json
    mean=$(json fit.json coefficients 1 mean)
    sd=$(json fit.json coefficients 1 sd)
    off=$(awk -v a="$mean" -v b="$5" -v s="$6" 'BEGIN { printf "%+.3f", (a - b) / s }')
    ratio=$(awk -v a="$sd" -v s="$6" 'BEGIN { printf "%.3f", a / s }')
    row "$1" "$2" "$mean" "$sd" "$off" "$ratio"
    awk -v off="$off" -v r="$ratio" -v m="$3" -v s="$4" \
        'BEGIN { exit !(off * off <= m * m && (r - 1) ^ 2 <= s * s) }' ||
        fail "$2 with prior sd $1 is off by $off sds, its sd by $ratio"
}

printf '| prior sd | method          | mean      | sd     | mean off | sd ratio |\n'
printf '|---|---|---|---|---|---|\n'
for prior in 1 3; do
    read -r _ _ mean sd < <(exact $prior)
    row $prior exact "$mean" "$sd" "" ""
    compare $prior delta 0.06 0.06 "$mean" "$sd"
    compare $prior laplace 0.45 0.13 "$mean" "$sd"
    compare $prior jaakkola-jordan 0.3 0.36 "$mean" "$sd"
done
