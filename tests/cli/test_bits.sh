#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The same bits whichever kernels a BLAS picks for the processor: up to 256 columns none is
# entered.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"

awk 'BEGIN {
    line = "y,n,x,g"
    for (j = 1; j <= 40; j++) line = line ",v" j
    print line
    u = 1
    for (i = 0; i < 240; i++) {
        u = (u * 69069 + 1) % 4294967296
        line = (u % 7 < 3 ? "yes" : "no") "," u % 5 "," u / 4294967296 ",g" i % 9
        for (j = 1; j <= 40; j++) {
            u = (u * 69069 + 1) % 4294967296
            line = line "," u / 4294967296 - 0.5
        }
        print line
    }
}' >table
cat >model.bug <<'EOF'
model {
  for (i in 1:N) { y[i] ~ dnorm(a[g[i]], tau) }
  for (j in 1:3) { a[j] ~ dnorm(mu, t) }
  mu ~ dnorm(0, 1.0E-4)
  tau ~ dgamma(0.1, 0.1)
  t ~ dgamma(1, 1)
}
EOF
echo '{"N": 6, "y": [1.2, 0.4, 2.2, 1.7, 0.9, 1.1], "g": [1, 1, 2, 2, 3, 3]}' >data.json
awk 'BEGIN {
    for (d = 0; d < 40; d++) {
        line = 12
        for (j = 0; j < 12; j++) line = line " " (d * 7 + j * 5) % 60 ":" 1 + (d + j) % 3
        print line
    }
}' >corpus.ldac
wide=$(printf '+ v%d ' {1..40})

# fit_all FOLDER: fits of each kind.
fit_all() {
    mkdir "$1"
    local code=0
    {
        "$program" -q glm fit "y ~ x $wide" --data table -o "$1/wide.json" &&
            "$program" -q glm fit 'y ~ x + v1' --group g --data table -o "$1/groups.json" &&
            "$program" -q glm fit 'n ~ v1 + (x | g)' --data table -o "$1/mixed.json" &&
            "$program" -q glm fit 'n ~ s(x) + v2' --data table -o "$1/smooth.json" &&
            "$program" -q glm fit 'n ~ x + v3' --family gaussian --data table \
                -o "$1/gaussian.json" &&
            "$program" -q bugs fit model.bug --data data.json -o "$1/bugs.json" &&
            "$program" -q topics fit corpus.ldac -k 4 --tol 1e-3 -o "$1/topics" &&
            "$program" -q topics show "$1/topics" --json >"$1/topics.json"
    } >/dev/null 2>err || code=$?
    ((code == 0 || code == 3)) || fail "$1 ended with $code"
}
cores=(Prescott Core2 Nehalem Sandybridge Barcelona Haswell Zen SkylakeX)
sanitised && cores=(Prescott)
fit_all first

# What is small does not even load it: the loader lists the libraries that a program opens. A regression
# of 300 columns shows that it would list a BLAS.
loads_blas() {
    grep -hE 'file=[^ ]*(blas|lapack)' loaded.*
}
# A static program has its BLAS inside.
if ! sanitised && [[ $(ldd "$program" 2>&1) == *jansson* ]]; then
    LD_DEBUG=files LD_DEBUG_OUTPUT=loaded fit_all told
    ! loads_blas >loads || fail "a small fit loads the BLAS: $(head -n 1 loads)"
    rm loaded.*
    awk 'BEGIN {
        for (i = -1; i < 320; i++) {
            line = i < 0 ? "y" : i % 5
            for (j = 0; j < 300; j++) line = line "," (i < 0 ? "v" j : (i * (j + 3) + j * j * i * i) % 101)
            print line
        }
    }' >large
    LD_DEBUG=files LD_DEBUG_OUTPUT=loaded timeout 60 "$program" -q glm fit 'y ~ .' --family gaussian --data large -o large.json >out 2>err ||
        (($? == 3)) || fail "300 columns: $(cat err)"
    loads_blas >loads || fail "the loader lists nothing"
    rm loaded.*
fi
for core in "${cores[@]}"; do
    OPENBLAS_CORETYPE=$core fit_all "$core"
    for file in first/*.json; do
        same "$file" "$core/${file#first/}"
    done
done
