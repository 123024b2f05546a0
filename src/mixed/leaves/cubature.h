/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nodes for integrals over three effects of a level or more,
 *
 *   integral of exp{h(b)} db,  h = sum_r l_r(z_r'b) - 1/2 b'P b,
 *
 * about the mode of h: b = mode + U^-1 t, U'U = -hess h, in which row r is seen by
 * s_r = U'^-1 z_r and exp(h) is (2 pi)^-q/2 exp(-t't / 2) but for the third derivatives and
 * those beyond. Where these are small, few nodes are enough that are exact for polynomials of
 * the fifth degree (Mysovskikh's; Lu & Darmofal, SIAM J. Sci. Comput. 26, 2004), and the
 * integral itself is known to the next order. Elsewhere there is a product of Gauss-Hermite
 * rules along the directions of which rows tell much, a little, and nothing: in the last it
 * is exp(-t^2 / 2) and needs no nodes. Internal.
 */
#ifndef DLPI_MIXED_CUBATURE_H
#define DLPI_MIXED_CUBATURE_H

#include <delaplace/status.h>
#include <stdbool.h>

enum { DLPI_CUBATURE_EFFECTS = 8, DLPI_CUBATURE_EACH = 4 };

/* A rule of one dimension: nodes in sds, the logarithms of weights for exp(-t^2 / 2) / sqrt(2 pi). */
typedef struct dlpi_cubature_line {
    int n;
    double t[9], log_w[9];
} dlpi_cubature_line;

typedef struct dlpi_cubature {
    dlp_index q;
    int most; /* nodes */
    dlpi_cubature_line line[DLPI_CUBATURE_EACH];
    int near_n;          /* the rule of the fifth degree: */
    double *near_t;      /* (near_n, q) */
    double *near_weight; /* (near_n) */
    double *room;

    /* What was chosen: */
    bool near;  /* `next` is the integral's, and nodes are for expectations alone */
    bool rough; /* more nodes would be needed */
    double shift[DLPI_CUBATURE_EFFECTS]; /* (q) of the mean, to that order */
    double next;   /* how much the log integral is above Laplace's, to the next order */
    int n;         /* nodes */
    double *t;     /* (n, q) */
    double *log_w; /* (n) of their weights' sizes, */
    double *sign;  /*     and (n) signs */
    dlp_index n_still; /* directions without nodes, in which t is N(0, 1) */
    double *still;     /* (n_still, q) */
} dlpi_cubature;

dlp_status dlpi_cubature_alloc(dlp_index q, int most, dlpi_cubature *c, dlp_error *error);
void dlpi_cubature_free(dlpi_cubature *c); /* fine on a zeroed one */

/* For n rows with s (n, q) and the second to fourth derivatives of their l (n) at the mode.
   true: they are so nearly normal that the nodes are there; else `shift` tells how far the
   mean is from the mode, and about the mean there are others: */
bool dlpi_cubature_measure(dlpi_cubature *c, dlp_index n, const double *s,
                           const double *l_eee, const double *l_eeee);
/* with U, s and derivatives there. */
void dlpi_cubature_multiply(dlpi_cubature *c, dlp_index n, const double *s,
                            const double *l_ee, const double *l_eee,
                            const double *l_eeee);

#endif
