/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nodes for integrals over three or more effects of a level,
 *
 *   integral of exp{h(b)} db,  h = sum_r l_r(z_r'b) - 1/2 b'P b,
 *
 * about the mode of h: b = mode + U^-1 t, U'U = -hess h. In t, row r has the coefficients
 * s_r = U'^-1 z_r, and exp(h) is (2 pi)^-q/2 exp(-t't / 2) up to third and higher
 * derivatives. Where these are small, a few nodes that are exact for polynomials of the
 * fifth degree are enough (Mysovskikh's; Lu & Darmofal, SIAM J. Sci. Comput. 26, 2004),
 * and the integral itself is known to the next order. Elsewhere it is a product of
 * Gauss-Hermite rules, with more nodes in the directions about which the rows say much
 * and fewer where they say little. Where they say nothing the integrand is exp(-t^2 / 2)
 * and needs no nodes. Internal.
 */
#ifndef DLPI_MIXED_CUBATURE_H
#define DLPI_MIXED_CUBATURE_H

#include <delaplace/status.h>
#include <stdbool.h>

enum { DLPI_CUBATURE_EFFECTS = 8, DLPI_CUBATURE_EACH = 4 };

/* A rule of one dimension: nodes in sds, and the logarithms of their weights for exp(-t^2
   / 2) / sqrt(2 pi). */
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
    bool near;  /* the integral is given by `next`; the nodes are only for expectations */
    bool rough; /* more nodes would be needed */
    double shift[DLPI_CUBATURE_EFFECTS]; /* (q) how far the mean is from the mode, to that
                                            order */
    double next;   /* by how much the log integral exceeds Laplace's, to the next order */
    int n;         /* nodes */
    double *t;     /* (n, q) */
    double *log_w; /* (n) logarithms of the weights' sizes, */
    double *sign;  /*     and (n) signs */
    dlp_index n_still; /* directions without nodes, in which t is N(0, 1) */
    double *still;     /* (n_still, q) */
} dlpi_cubature;

dlp_status dlpi_cubature_alloc(dlp_index q, int most, dlpi_cubature *c, dlp_error *error);
void dlpi_cubature_free(dlpi_cubature *c); /* fine on a zeroed one */

/* For n rows with s (n, q) and the third and fourth derivatives of their l (n) at the
   mode. true: the integrand is so nearly normal that the nodes are set. false: `shift`
   says how far the mean is from the mode, and nodes about the mean have to be set by the
   next function. */
bool dlpi_cubature_measure(dlpi_cubature *c, dlp_index n, const double *s,
                           const double *l_eee, const double *l_eeee);
/* Sets nodes about the mean, given s and the derivatives there. */
void dlpi_cubature_multiply(dlpi_cubature *c, dlp_index n, const double *s,
                            const double *l_ee, const double *l_eee,
                            const double *l_eeee);

#endif
