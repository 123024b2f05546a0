// SPDX-License-Identifier: BSD-3-Clause
// Groups of topics that go together, for colours: modularity, merged greedily (Clauset,
// Newman and Moore 2004). Nothing is left to chance: of equals the first is taken.

/** For each of n nodes its group, numbered by total weight; -1 for a node by itself. */
export function communities(n, edges, weight) {
  const total = edges.reduce((sum, e) => sum + 2 * e.r, 0);
  const member = Array.from({ length: n }, (_, k) => [k]);
  const share = Array.from({ length: n }, () => new Float64Array(n));
  for (const { i, j, r } of edges) share[i][j] = share[j][i] = r / total;
  for (;;) {
    const best = bestMerge(member, share);
    if (!best) break;
    merge(member, share, ...best);
  }
  return number(n, member, weight);
}

function bestMerge(member, share) {
  const degree = share.map((row) => row.reduce((a, b) => a + b, 0));
  let most = 1e-9,
    best = null;
  for (let a = 0; a < member.length; a++)
    for (let b = a + 1; b < member.length; b++) {
      const gain = share[a][b] > 0 ? 2 * (share[a][b] - degree[a] * degree[b]) : 0;
      if (gain > most) [most, best] = [gain, [a, b]];
    }
  return best;
}

/** b becomes part of a. */
function merge(member, share, a, b) {
  member[a].push(...member[b]);
  for (let c = 0; c < share.length; c++) share[a][c] += share[b][c];
  for (let c = 0; c < share.length; c++) if (c !== a) share[c][a] += share[c][b];
  share[a][a] += share[b][a] + share[b][b];
  member[b] = [];
  share[b].fill(0);
  for (const row of share) row[b] = 0;
}

function number(n, member, weight) {
  const sum = (list) => list.reduce((total, k) => total + weight[k], 0);
  const group = new Array(n).fill(-1);
  member
    .filter((list) => list.length > 1)
    .sort((a, b) => sum(b) - sum(a) || a[0] - b[0])
    .forEach((list, g) =>
      list.forEach((k) => {
        group[k] = g;
      }),
    );
  return group;
}
