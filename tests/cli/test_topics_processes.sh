#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# mpirun -n P delaplace topics fit: the same bytes at any number of processes, also after a
# process was killed; and a failure of one ends all, with one message.
# shellcheck source=tests/cli/harness.sh
source "$(dirname "$0")/harness.sh"
# shellcheck source=tests/cli/topics.sh
source "$(dirname "$0")/topics.sh"
# shellcheck source=tests/cli/processes.sh
source "$(dirname "$0")/processes.sh"

# Eight blocks of documents, so four parts.
try 0 simulate ctm --documents 15000 --words 5 -k 3 --terms 60 -o sim.ldac
fit=(topics fit sim.ldac -k 3 --tol 1e-9 --threads 1 --max-iter)
try 3 "${fit[@]}" 12 -o alone -q
rm alone/checkpoint
sent() { # the bytes of the last fit
    awk '/processes received/ { print $4 }' err
}
for size in 2 4; do
    tries 3 $size "${fit[@]}" 12 -o "by$size" --threads 2 --checkpoint-every 3600 -v
    once out "Written to by$size"
    rm "by$size/checkpoint"
    same_model alone "by$size"
done

# What is sent per iteration, by the formula of docs/scale.md; twice, to leave start and end out.
bytes=$(sent)
tries 3 4 "${fit[@]}" 2 -o short --checkpoint-every 3600 -v
V=$(json short/model.json V)
equal "bytes an iteration" $(((bytes - $(sent)) / 10)) $((3 * 8 * (2 * V * 8 + 2 * 9 + 24 + 6 + 12)))

# Few documents are two parts, so that two processes have something to do.
head -1500 sim.ldac >few.ldac
few=(topics fit few.ldac -k 3 --tol 1e-9 --threads 1 --checkpoint-every 3600 --max-iter)
try 3 "${few[@]}" 4 -o few -q
rm few/checkpoint
tries 3 2 "${few[@]}" 4 -o few2 -v
rm few2/checkpoint
same_model few few2
bytes=$(sent)
tries 3 2 "${few[@]}" 2 -o short -v
V=$(json short/model.json V)
equal "bytes an iteration of two parts" $(((bytes - $(sent)) / 2)) $((8 * (2 * V * 8 + 2 * 9 + 24 + 6 + 12)))

# Words that are assigned on average.
try 3 "${few[@]}" 4 --assign average -o few -q
tries 3 2 "${few[@]}" 4 --assign average -o few2 -q
rm {few,few2}/checkpoint
same_model few few2

# Minibatches: each process infers its share of a batch.
online=(topics fit sim.ldac -k 3 --online 1 --tol 1e-9 --max-iter 2 --checkpoint-every 3600)
try 3 "${online[@]}" --threads 1 -o pass -q
for size in 2 3; do
    tries 3 $size "${online[@]}" --threads 2 -o "pass$size" -q
    same_model pass "pass$size"
done

# Topics that one process has no room for are divided: the same bytes, also when others go on.
try 0 simulate ctm --documents 16400 --words 8 -k 10 --terms 150000 -o wide.ldac
wide=(topics fit wide.ldac -k 24 --init random --tol 1e-9 --threads 1 --max-iter)
little=(--checkpoint-every 3600 --memory 120M -v)
try 3 "${wide[@]}" 3 -o a -q
tries 3 4 "${wide[@]}" 3 -o b "${little[@]}"
once err "topics were divided among 4 processes"
bytes=$(sent)
tries 3 4 "${wide[@]}" 1 -o c "${little[@]}"
V=$(json b/model.json V)
# rows that others own, of the terms in each process's documents; and the terms of process 0
read -r fetched first < <(awk -v V="$V" '
    BEGIN { for (r = 0; r < 5; r++) { line[r] = int(9 * r / 4) * 2048; term[r] = int(V * r / 4) } }
    { for (r = 0; r < 3 && NR > line[r + 1]; ) r++
      for (i = 2; i <= NF; i++) {
          v = $i + 0
          if ((v < term[r] || v >= term[r + 1]) && !((r, v) in seen)) { seen[r, v]; rows++ }
      } }
    END { print rows, term[1] }' wide.ldac)
equal "bytes an iteration of divided topics" $(((bytes - $(sent)) / 2)) \
    $((3 * 8 * (2 * V * 24 + 2 * 576 + 576 + 48 + 12 + 128 * 24 + 64) + 8 * 24 * (V - first) +
        (8 * 24 + 4) * fetched + 8 * 4 * 3))
rm b/checkpoint
tries 3 2 "${wide[@]}" 3 -o c --resume "${little[@]}"
once err "topics were divided among 2 processes"
rm {a,c}/checkpoint
same_model a b
same_model a c

# Covariates, what needs all documents in its M step, and more processes than parts.
awk 'BEGIN { print "document,x"; for (i = 1; i <= 15000; i++) print i "," sin(i) }' >x.csv
with=(3 --prior dirichlet --covariates x.csv --formula '~ x' -q)
try 3 "${fit[@]}" "${with[@]}" -o a
tries 3 5 "${fit[@]}" "${with[@]}" -o b
rm {a,b}/checkpoint
same_model a b

# Documents and terms that are looked up by name: process 0 reads the corpus and sends it, the others need no
# file.
cp few.ldac named.ldac
seq -f 'document %.0f' 1500 >named.docs
seq -f 'word%.0f' 60 >named.vocab
awk 'BEGIN { print "document,x"; for (i = 1500; i > 0; i--) print "document " i "," (i % 7 ? sin(i) : "") }' >named.csv
printf 'first: word3 word5\nsecond: word7\n' >seeds.txt
by_name=("--covariates named.csv --formula ~x --missing drop --seeds seeds.txt" "--init few")
for words in "${by_name[@]}"; do
    read -ra with <<<"$words"
    common=("${fit[@]:3}" 3 "${with[@]}" -q)
    try 3 topics fit named.ldac "${common[@]}" -o a
    code=0
    "${run[@]}" -n 1 "$program" topics fit named.ldac "${common[@]}" -o b : \
        -n 2 "$program" topics fit nowhere.ldac "${common[@]}" -o b >out 2>err || code=$?
    equal "the code with $words" $code 3
    rm {a,b}/checkpoint
    same_model a b
    rm -r a b
done

# A corpus that is mapped: each process maps its own documents.
try 0 simulate ctm --documents 90000 --words 30 -k 3 --terms 1000 -o mapped.dlpc -q
(($(wc -c <mapped.dlpc) > 1 << 24)) || fail "the corpus is not mapped"
mapped=(topics fit mapped.dlpc -k 3 --init random --max-iter 2 -q)
try 3 "${mapped[@]}" -o a
tries 3 4 "${mapped[@]}" -o b --threads 1
rm {a,b}/checkpoint
same_model a b

# Lines of a file in any format are read by the process that has their documents, as those of LDA-C above.
# Documents that are scattered or compressed process 0 reads and sends.
try 3 "${fit[@]}" 4 -o kept -q
rm kept/checkpoint
parted() { # FILE: the bytes that processes then receive
    tries 3 3 topics fit "$1" "${fit[@]:3}" 4 -o parted -v
    rm parted/checkpoint
    same_model kept parted
    received=$(sent)
}
for format in uci svmlight; do try 0 corpus convert sim.ldac -o sim.$format -q; done
{ head -3 sim.uci && tail -n +4 sim.uci | tac; } >scattered.uci
gzip -k sim.ldac
parted sim.ldac
lines=$received
for file in sim.{uci,svmlight}; do
    parted "$file"
    equal "bytes for $file" "$received" "$lines"
done
for file in scattered.uci sim.ldac.gz; do
    parted "$file"
    ((received > lines + 100000)) || fail "documents of $file were not sent"
done
code=0
"${run[@]}" -n 1 "$program" topics fit sim.ldac.gz "${fit[@]:3}" 4 -o sent -q : \
    -n 1 "$program" topics fit nowhere.gz "${fit[@]:3}" 4 -o sent -q >out 2>err || code=$?
equal "the code where only process 0 has the file" $code 3
rm sent/checkpoint
same_model kept sent

# What process 1 alone has mapped is cut off by another program.
cp mapped.dlpc cut.dlpc
cut=(-k 3 --init random --max-iter 1000 --tol 1e-12 -o lost -v --threads 1)
"${run[@]}" -n 1 "$program" topics fit mapped.dlpc "${cut[@]}" : -n 1 "$program" topics fit cut.dlpc "${cut[@]}" \
    >out 2>err &
for ((i = 0; i < 600; i++)); do
    ! grep -q 'iteration 1:' err || break
    sleep 0.05
done
truncate -s 100000 cut.dlpc
code=0
wait $! || code=$?
equal "the code when process 1 loses a file" $code 4
once err "delaplace: process 1: cut.dlpc: can no longer be read"

# Stopped after 5 iterations, resumed by another number of processes.
tries 3 2 "${fit[@]}" 5 -o pieces -q
tries 3 4 "${fit[@]}" 9 -o pieces --resume
once err "pieces: resuming after iteration 5"
try 3 "${fit[@]}" 12 -o pieces --resume -q
rm pieces/checkpoint
same_model alone pieces

# A process is killed, any of them, at some time after a checkpoint: all end, and another number of them
# goes on. Then it happens again.
killed() { # SIZE
    local job code=0 processes=()
    rm -f before
    [[ ! -e cut/checkpoint ]] || cp -p cut/checkpoint before
    "${run[@]}" -n "$1" "$program" "${fit[@]}" 60 -o cut --resume --checkpoint-every 0 >out 2>err &
    job=$!
    for ((i = 0; i < 600; i++)); do
        [[ ! -e cut/checkpoint || (-e before && ! cut/checkpoint -nt before) ]] || break
        sleep 0.05
    done
    sleep "0.0$((RANDOM % 10))"
    mapfile -t processes < <(pgrep -P "$(pgrep -P $job)")
    ((${#processes[@]} == 0)) || kill -9 "${processes[RANDOM % ${#processes[@]}]}" 2>/dev/null || true
    wait $job || code=$?
    [[ -e cut/checkpoint && ! -e cut/model.json ]] && ((code > 0))
}
rm -rf cut
killed $((2 + RANDOM % 2)) || { rm -rf cut && killed 2; } || fail "no process could be killed in time"
killed 4 || true # unless it has ended
try 3 "${fit[@]}" 60 -o whole -q
if [[ ! -e cut/model.json ]]; then tries 3 3 "${fit[@]}" 60 -o cut --resume -q; fi
rm -f {whole,cut}/checkpoint
same_model whole cut

# Failures: of all processes, of one; misuse; commands that run alone.
tries 1 3 topics fit absent.ldac -k 3 -o x
once err "absent.ldac: cannot read"
code=0
"${run[@]}" -n 1 "$program" "${fit[@]}" 3 -o x : -n 1 "$program" topics fit absent.ldac -k 3 -o x \
    >out 2>err || code=$?
equal "the code of a failure of process 1" $code 4
once err "delaplace: process 1: absent.ldac: cannot read"
tries 2 2 topics fit sim.ldac -k 3 --colour blue -o x
once err "--colour"
tries 2 2 topics fit - -k 3 -o x
once err "only one process can read standard input"
tries 2 2 corpus stats sim.ldac
once err "this command runs as a single process"
[[ ! -e x ]] || fail "a failure left a folder"
