/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixed/leaves/cubature.h"

#include "core/core.h"
#include "math/dense.h"
#include "math/lapack.h"
#include "math/special/gauss_hermite.h"

#include <math.h>
#include <string.h>

enum { MOST = DLPI_CUBATURE_EFFECTS, MANY_ROWS = 25 };
static const int EACH[DLPI_CUBATURE_EACH] = {3, 5, 7, 9};
/* For a direction, bounds on the third and fourth derivatives up to which so many nodes
   are enough. */
static const double MOST_THIRD[] = {0.12, 0.5, 1}, MOST_FOURTH[] = {0.06, 0.2, 0.4};
static const double NEAR_THIRD = 0.12, NEAR_FOURTH = 0.05;

/* ---- rules ---- */

static void fill_line(int n, dlpi_cubature_line *line)
{
    const double half_log_pi = 0.57236494292470008707;
    dlpi_gauss_hermite(n, line->t, line->log_w);
    line->n = n;
    for (int i = 0; i < n; i++) {
        line->t[i] *= sqrt(2);
        line->log_w[i] -= half_log_pi;
    }
}

/* The corners a_j of a regular simplex on the unit sphere, (q + 1, q). */
static void fill_simplex(dlp_index q, double *a)
{
    const double Q = (double)q;
    memset(a, 0, (size_t)((q + 1) * q) * sizeof *a);
    for (dlp_index j = 0; j <= q; j++)
        for (dlp_index i = 0; i < q && i <= j; i++) {
            const double I = (double)i;
            a[j * q + i] = i == j ? sqrt((Q + 1) * (Q - I) / (Q * (Q - I + 1)))
                                  : -sqrt((Q + 1) / (Q * (Q - I) * (Q - I + 1)));
        }
}

static void add_two(dlpi_cubature *c, const double *at, double length, double weight)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        for (dlp_index i = 0; i < c->q; i++)
            c->near_t[c->near_n * c->q + i] = sign * length * at[i];
        c->near_weight[c->near_n++] = weight;
    }
}

/* The centre, the corners and the middles of edges, with their opposites, on a sphere of
   radius sqrt(q + 2). */
static void fill_near(dlpi_cubature *c)
{
    const dlp_index q = c->q;
    const double Q = (double)q, both = (Q + 1) * (Q + 1) * (Q + 2) * (Q + 2);
    const double corner = Q * Q * (7 - Q) / (2 * both), radius = sqrt(Q + 2),
                 edge = 2 * (Q - 1) * (Q - 1) / both;
    double a[(MOST + 1) * MOST], middle[MOST];
    fill_simplex(q, a);
    c->near_weight[0] = 2 / (Q + 2);
    c->near_n = 1;
    for (dlp_index j = 0; j <= q; j++) {
        if (q != 7) add_two(c, a + j * q, radius, corner);
        for (dlp_index k = 0; k < j; k++) {
            for (dlp_index i = 0; i < q; i++) middle[i] = a[j * q + i] + a[k * q + i];
            add_two(c, middle, radius * sqrt(Q / (2 * (Q - 1))), edge);
        }
    }
}

dlp_status dlpi_cubature_alloc(dlp_index q, int most, dlpi_cubature *c, dlp_error *error)
{
    const dlp_index near = (q + 1) * (q + 2) + 1, nodes = most > near ? most : near;
    *c = (dlpi_cubature){.q = q, .most = (int)nodes};
    c->room = dlpi_calloc(near * (q + 1) + nodes * (q + 2) + q * q, sizeof *c->room);
    if (!c->room) return dlpi_no_memory(error, "a mixed model");
    c->near_t = c->room;
    c->near_weight = c->near_t + near * q;
    c->t = c->near_weight + near;
    c->log_w = c->t + nodes * q;
    c->sign = c->log_w + nodes;
    c->still = c->sign + nodes;
    for (int i = 0; i < DLPI_CUBATURE_EACH; i++) fill_line(EACH[i], &c->line[i]);
    fill_near(c);
    return DLP_OK;
}

void dlpi_cubature_free(dlpi_cubature *c)
{
    free(c->room);
    *c = (dlpi_cubature){0};
}

/* ---- how far from normal ---- */

/* |T|^2 for T_ijk = sum_r l_eee s_i s_j s_k, from i <= j <= k. */
static double third_square(dlp_index n, dlp_index q, const double *s, const double *l_eee)
{
    double sum = 0;
    for (dlp_index i = 0; i < q; i++)
        for (dlp_index j = i; j < q; j++)
            for (dlp_index k = j; k < q; k++) {
                const double times = i == k ? 1 : i == j || j == k ? 3 : 6;
                double T = 0;
                for (dlp_index r = 0; r < n; r++)
                    T += l_eee[r] * s[r * q + i] * s[r * q + j] * s[r * q + k];
                sum += times * T * T;
            }
    return sum;
}

typedef struct bend {
    double third, fourth; /* sizes */
} bend;

/* log I - Laplace = F / 8 + |t|^2 / 8 + |T|^2 / 12, t_i = sum_j T_ijj, F = sum_ij F_iijj */
static bend measure(dlpi_cubature *c, dlp_index n, const double *s, const double *l_eee,
                    const double *l_eeee)
{
    const dlp_index q = c->q;
    double t[MOST] = {0}, fourth = 0;
    for (dlp_index r = 0; r < n; r++) {
        const double square = dlpi_dot(q, s + r * q, s + r * q);
        fourth += l_eeee[r] * square * square;
        dlpi_axpy(q, l_eee[r] * square, s + r * q, t);
    }
    const double third = third_square(n, q, s, l_eee);
    c->next = fourth / 8 + dlpi_dot(q, t, t) / 8 + third / 12;
    const double length = 0.5 * sqrt(dlpi_dot(q, t, t)), farthest = 1;
    for (dlp_index i = 0; i < q; i++)
        c->shift[i] = 0.5 * t[i] * fmin(1, farthest / fmax(length, 1e-300));
    return (bend){sqrt(third), fabs(fourth)};
}

/* ---- directions ---- */

/* Orthonormal directions, the rows of V, ordered by how much the rows say about them:
   sum_r -l_ee s_r s_r' */
static bool find_directions(dlp_index n, dlp_index q, const double *s, const double *l_ee,
                            double *V, double *told)
{
    double work[3 * MOST];
    memset(V, 0, (size_t)(q * q) * sizeof *V);
    for (dlp_index r = 0; r < n; r++)
        for (dlp_index i = 0; i < q; i++)
            dlpi_axpy(q, -l_ee[r] * s[r * q + i], s + r * q, V + i * q);
    return dlpi_lapack_eigen(q, V, told, work);
}

/* Along v: |T_i..| is bounded by sums over rows of l_eee s_i |s|^2, which is what counts where
   rows are few. */
static bend bend_along(dlp_index n, dlp_index q, const double *s, const double *v,
                       const double *l_eee, const double *l_eeee)
{
    bend b = {0, 0};
    for (dlp_index r = 0; r < n; r++) {
        const double square = dlpi_dot(q, s + r * q, s + r * q),
                     along = dlpi_dot(q, s + r * q, v);
        b.third += fabs(l_eee[r] * along) * square;
        b.fourth += fabs(l_eeee[r]) * along * along * square;
    }
    return b;
}

/* Which rule is enough; DLPI_CUBATURE_EACH: none is. */
static int rule_for(bend b)
{
    int i = 0;
    while (i < DLPI_CUBATURE_EACH - 1 &&
           (b.third > MOST_THIRD[i] || b.fourth > MOST_FOURTH[i]))
        i++;
    return i;
}

/* Takes fewer nodes in one direction, the first of those with the most; false: none can
   be spared. */
static bool shorten(dlp_index d, int *rule)
{
    dlp_index finest = 0;
    for (dlp_index i = 1; i < d; i++)
        if (rule[i] > rule[finest]) finest = i;
    if (d == 0 || rule[finest] == 0) return false;
    rule[finest]--;
    return true;
}

/* The product of the rules of d directions v (d, q), without the nodes of negligible
   weight. false: there are too many. */
static bool multiply_rules(dlpi_cubature *c, dlp_index d, const int *rule,
                           const double *const *v)
{
    const double least = log(1e-5);
    const dlp_index q = c->q;
    int at[MOST] = {0};
    double top = 0, sum = 0;
    for (dlp_index i = 0; i < d; i++) top += c->line[rule[i]].log_w[EACH[rule[i]] / 2];
    c->n = 0;
    for (bool ended = false; !ended;) {
        double log_w = 0;
        for (dlp_index i = 0; i < d; i++) log_w += c->line[rule[i]].log_w[at[i]];
        if (log_w - top >= least) {
            if (c->n == c->most) return false;
            double *t = c->t + c->n * q;
            memset(t, 0, (size_t)q * sizeof *t);
            for (dlp_index i = 0; i < d; i++)
                dlpi_axpy(q, c->line[rule[i]].t[at[i]], v[i], t);
            sum += exp(log_w);
            c->log_w[c->n] = log_w;
            c->sign[c->n++] = 1;
        }
        dlp_index i = 0;
        for (; i < d && ++at[i] == EACH[rule[i]]; i++) at[i] = 0;
        ended = i == d;
    }
    for (int k = 0; k < c->n; k++) c->log_w[k] -= log(sum);
    return true;
}

static void take_near(dlpi_cubature *c)
{
    c->n = c->near_n;
    memcpy(c->t, c->near_t, (size_t)(c->n * c->q) * sizeof *c->t);
    for (int k = 0; k < c->n; k++) {
        c->log_w[k] = log(fabs(c->near_weight[k]));
        c->sign[k] = c->near_weight[k] < 0 ? -1 : 1;
    }
}

bool dlpi_cubature_measure(dlpi_cubature *c, dlp_index n, const double *s,
                           const double *l_eee, const double *l_eeee)
{
    const bend all = measure(c, n, s, l_eee, l_eeee);
    c->n_still = 0;
    c->rough = false;
    /* with many rows a product would cost too much, and less is at stake */
    const double more = n >= MANY_ROWS ? 6 : 1;
    c->near = all.third <= more * NEAR_THIRD && all.fourth <= more * NEAR_FOURTH;
    if (c->near) take_near(c);
    return c->near;
}

void dlpi_cubature_multiply(dlpi_cubature *c, dlp_index n, const double *s,
                            const double *l_ee, const double *l_eee, const double *l_eeee)
{
    const dlp_index q = c->q;
    const double untold = 1e-9;
    double V[MOST * MOST], told[MOST];
    if (!find_directions(n, q, s, l_ee, V, told)) {
        take_near(c);
        return;
    }
    int rule[MOST];
    const double *v[MOST];
    dlp_index d = 0;
    for (dlp_index i = 0; i < q; i++) {
        const double *direction = V + i * q;
        if (fabs(told[i]) < untold) {
            memcpy(c->still + c->n_still++ * q, direction, (size_t)q * sizeof *direction);
            continue;
        }
        rule[d] = rule_for(bend_along(n, q, s, direction, l_eee, l_eeee));
        v[d++] = direction;
    }
    while (!multiply_rules(c, d, rule, v)) {
        c->rough = true;
        if (shorten(d, rule)) continue;
        take_near(c);
        return;
    }
}
