/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The special functions to 256 bits, by MPFR where it has them and otherwise by a
 * textbook formula that shares nothing with the library's.
 */
#ifndef DLP_TESTS_SPECIAL_ORACLE_H
#define DLP_TESTS_SPECIAL_ORACLE_H

#include <mpfr.h>

enum { ORACLE_BITS = 256, POLYGAMMA_TERMS = 40, POLYGAMMA_LARGE = 64 };

/* zeta(2k), the one thing worth keeping from call to call */
static mpfr_t oracle_zeta[POLYGAMMA_TERMS + 1];

static inline void oracle_init(void)
{
    for (unsigned long k = 1; k <= POLYGAMMA_TERMS; k++) {
        mpfr_init2(oracle_zeta[k], ORACLE_BITS);
        mpfr_zeta_ui(oracle_zeta[k], 2 * k, MPFR_RNDN);
    }
}

static inline void oracle_clear(void)
{
    for (unsigned k = 1; k <= POLYGAMMA_TERMS; k++) mpfr_clear(oracle_zeta[k]);
    mpfr_free_cache();
}

/* Whether adding term can still change sum. */
static inline int oracle_matters(const mpfr_t term, const mpfr_t sum)
{
    return !mpfr_zero_p(term) && mpfr_get_exp(term) > mpfr_get_exp(sum) - ORACLE_BITS;
}

/* out = function(x); out and x are two variables of ORACLE_BITS. */
typedef void oracle_function(mpfr_t out, const mpfr_t x);

static inline void oracle_lgamma(mpfr_t out, const mpfr_t x)
{
    mpfr_lngamma(out, x, MPFR_RNDN);
}

static inline void oracle_digamma(mpfr_t out, const mpfr_t x)
{
    mpfr_digamma(out, x, MPFR_RNDN);
}

/* out += (m-1)!/x^m + m!/(2 x^(m+1)) + sum_k B_2k (2k+m-1)!/(2k)! / x^(2k+m), where
   B_2k = (-1)^(k+1) 2 (2k)! zeta(2k) / (2 pi)^2k. */
static inline void add_polygamma_series(mpfr_t out, unsigned long m, const mpfr_t x)
{
    mpfr_t power, step, term;
    mpfr_inits2(ORACLE_BITS, power, step, term, (mpfr_ptr)NULL);
    mpfr_pow_ui(power, x, m, MPFR_RNDN);
    mpfr_fac_ui(term, m - 1, MPFR_RNDN);
    mpfr_div(power, term, power, MPFR_RNDN);
    mpfr_add(out, out, power, MPFR_RNDN);
    mpfr_div(term, power, x, MPFR_RNDN);
    mpfr_mul_ui(term, term, m, MPFR_RNDN);
    mpfr_div_2ui(term, term, 1, MPFR_RNDN);
    mpfr_add(out, out, term, MPFR_RNDN);
    mpfr_const_pi(step, MPFR_RNDN);
    mpfr_mul(step, step, x, MPFR_RNDN);
    mpfr_mul_2ui(step, step, 1, MPFR_RNDN);
    mpfr_sqr(step, step, MPFR_RNDN);
    mpfr_mul_2ui(power, power, 1, MPFR_RNDN);
    for (unsigned long k = 1; k <= POLYGAMMA_TERMS && oracle_matters(term, out); k++) {
        mpfr_div(power, power, step, MPFR_RNDN);
        mpfr_mul_ui(power, power, (2 * k + m - 2) * (2 * k + m - 1), MPFR_RNDN);
        mpfr_mul(term, oracle_zeta[k], power, MPFR_RNDN);
        if (k % 2)
            mpfr_add(out, out, term, MPFR_RNDN);
        else
            mpfr_sub(out, out, term, MPFR_RNDN);
    }
    mpfr_clears(power, step, term, (mpfr_ptr)NULL);
}

/* |Psi^(m)(x)| = sum_(k<n) m!/(x+k)^(m+1) + |Psi^(m)(x+n)|, m >= 1 */
static inline void oracle_polygamma(mpfr_t out, unsigned long m, const mpfr_t x)
{
    mpfr_t term, factorial, shifted;
    mpfr_inits2(ORACLE_BITS, term, factorial, shifted, (mpfr_ptr)NULL);
    mpfr_fac_ui(factorial, m, MPFR_RNDN);
    mpfr_set(shifted, x, MPFR_RNDN);
    mpfr_set_ui(out, 0, MPFR_RNDN);
    for (; mpfr_cmp_ui(shifted, POLYGAMMA_LARGE) < 0;
         mpfr_add_ui(shifted, shifted, 1, MPFR_RNDN)) {
        mpfr_pow_ui(term, shifted, m + 1, MPFR_RNDN);
        mpfr_div(term, factorial, term, MPFR_RNDN);
        mpfr_add(out, out, term, MPFR_RNDN);
    }
    add_polygamma_series(out, m, shifted);
    mpfr_clears(term, factorial, shifted, (mpfr_ptr)NULL);
}

static inline void oracle_trigamma(mpfr_t out, const mpfr_t x)
{
    oracle_polygamma(out, 1, x);
}

static inline void oracle_tetragamma(mpfr_t out, const mpfr_t x)
{
    oracle_polygamma(out, 2, x);
    mpfr_neg(out, out, MPFR_RNDN);
}

static inline void oracle_exp(mpfr_t out, const mpfr_t x)
{
    mpfr_exp(out, x, MPFR_RNDN);
}

static inline void oracle_logistic(mpfr_t out, const mpfr_t x)
{
    mpfr_neg(out, x, MPFR_RNDN);
    mpfr_exp(out, out, MPFR_RNDN);
    mpfr_add_ui(out, out, 1, MPFR_RNDN);
    mpfr_ui_div(out, 1, out, MPFR_RNDN);
}

static inline void oracle_log1pexp(mpfr_t out, const mpfr_t x)
{
    if (mpfr_cmp_ui(x, 1000000) > 0) {
        mpfr_set(out, x, MPFR_RNDN);
        return;
    }
    mpfr_exp(out, x, MPFR_RNDN);
    mpfr_log1p(out, out, MPFR_RNDN);
}

static inline void oracle_log_logistic(mpfr_t out, const mpfr_t x)
{
    mpfr_t minus;
    mpfr_init2(minus, ORACLE_BITS);
    mpfr_neg(minus, x, MPFR_RNDN);
    oracle_log1pexp(out, minus);
    mpfr_neg(out, out, MPFR_RNDN);
    mpfr_clear(minus);
}

/* -x^2/2 - log(2 pi)/2 */
static inline void normal_log_density(mpfr_t out, const mpfr_t x)
{
    mpfr_t constant;
    mpfr_init2(constant, ORACLE_BITS);
    mpfr_const_pi(constant, MPFR_RNDN);
    mpfr_mul_2ui(constant, constant, 1, MPFR_RNDN);
    mpfr_log(constant, constant, MPFR_RNDN);
    mpfr_sqr(out, x, MPFR_RNDN);
    mpfr_add(out, out, constant, MPFR_RNDN);
    mpfr_div_si(out, out, -2, MPFR_RNDN);
    mpfr_clear(constant);
}

/* x <= -20: log density(x) - log(-x) + log(1 - 1/x^2 + 3/x^4 - 15/x^6 ...) */
static inline void normal_log_cdf_far(mpfr_t out, const mpfr_t x)
{
    mpfr_t square, term, sum;
    mpfr_inits2(ORACLE_BITS, square, term, sum, (mpfr_ptr)NULL);
    mpfr_sqr(square, x, MPFR_RNDN);
    mpfr_set_ui(term, 1, MPFR_RNDN);
    mpfr_set_ui(sum, 1, MPFR_RNDN);
    for (long k = 1; oracle_matters(term, sum); k++) {
        mpfr_mul_si(term, term, 1 - 2 * k, MPFR_RNDN);
        mpfr_div(term, term, square, MPFR_RNDN);
        mpfr_add(sum, sum, term, MPFR_RNDN);
    }
    mpfr_div(sum, sum, x, MPFR_RNDN);
    mpfr_neg(sum, sum, MPFR_RNDN);
    mpfr_log(sum, sum, MPFR_RNDN);
    normal_log_density(out, x);
    mpfr_add(out, out, sum, MPFR_RNDN);
    mpfr_clears(square, term, sum, (mpfr_ptr)NULL);
}

/* erfc(-x/sqrt(2))/2, which takes MPFR long on the far left */
static inline void oracle_normal_cdf(mpfr_t out, const mpfr_t x)
{
    if (mpfr_cmp_si(x, -20) < 0) {
        normal_log_cdf_far(out, x);
        mpfr_exp(out, out, MPFR_RNDN);
        return;
    }
    mpfr_t scaled;
    mpfr_init2(scaled, ORACLE_BITS);
    mpfr_sqrt_ui(scaled, 2, MPFR_RNDN);
    mpfr_div(scaled, x, scaled, MPFR_RNDN);
    mpfr_neg(scaled, scaled, MPFR_RNDN);
    mpfr_erfc(out, scaled, MPFR_RNDN);
    mpfr_div_2ui(out, out, 1, MPFR_RNDN);
    mpfr_clear(scaled);
}

static inline void oracle_normal_log_cdf(mpfr_t out, const mpfr_t x)
{
    if (mpfr_cmp_si(x, -20) < 0) {
        normal_log_cdf_far(out, x);
    } else if (mpfr_sgn(x) < 0) {
        oracle_normal_cdf(out, x);
        mpfr_log(out, out, MPFR_RNDN);
    } else {
        mpfr_t minus;
        mpfr_init2(minus, ORACLE_BITS);
        mpfr_neg(minus, x, MPFR_RNDN);
        oracle_normal_cdf(out, minus);
        mpfr_neg(out, out, MPFR_RNDN);
        mpfr_log1p(out, out, MPFR_RNDN);
        mpfr_clear(minus);
    }
}

/* Newton's method on log Phi, which is concave: from the left of the root it climbs.
   0 < p <= 1/2 */
static inline void lower_normal_quantile(mpfr_t out, const mpfr_t p)
{
    mpfr_t log_p, log_cdf, slope;
    mpfr_inits2(ORACLE_BITS, log_p, log_cdf, slope, (mpfr_ptr)NULL);
    mpfr_log(log_p, p, MPFR_RNDN);
    mpfr_mul_si(out, log_p, -2, MPFR_RNDN);
    mpfr_sqrt(out, out, MPFR_RNDN);
    mpfr_neg(out, out, MPFR_RNDN);
    do {
        oracle_normal_log_cdf(log_cdf, out);
        normal_log_density(slope, out);
        mpfr_sub(slope, slope, log_cdf, MPFR_RNDN);
        mpfr_exp(slope, slope, MPFR_RNDN);
        mpfr_sub(log_cdf, log_p, log_cdf, MPFR_RNDN);
        mpfr_div(log_cdf, log_cdf, slope, MPFR_RNDN);
        mpfr_add(out, out, log_cdf, MPFR_RNDN);
    } while (!mpfr_zero_p(log_cdf) && mpfr_get_exp(log_cdf) > -ORACLE_BITS / 2);
    mpfr_clears(log_p, log_cdf, slope, (mpfr_ptr)NULL);
}

static inline void oracle_normal_quantile(mpfr_t out, const mpfr_t p)
{
    mpfr_t smaller;
    mpfr_init2(smaller, ORACLE_BITS);
    mpfr_ui_sub(smaller, 1, p, MPFR_RNDN);
    if (mpfr_cmp(smaller, p) == 0) {
        mpfr_set_ui(out, 0, MPFR_RNDN);
    } else if (mpfr_cmp(smaller, p) < 0) {
        lower_normal_quantile(out, smaller);
        mpfr_neg(out, out, MPFR_RNDN);
    } else {
        lower_normal_quantile(out, p);
    }
    mpfr_clear(smaller);
}

#endif
