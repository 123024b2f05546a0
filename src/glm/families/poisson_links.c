/* SPDX-License-Identifier: BSD-3-Clause */
#include "glm/families/poisson_links.h"

#include <delaplace/special.h>
#include <math.h>

static void put(dlpi_rows *r, dlp_index i, double l, double l_e, double l_ee,
                double l_eee, double l_eeee)
{
    r->l[i] = l - (r->bare ? 0 : dlp_lgamma(r->y[i] + 1));
    r->l_e[i] = l_e;
    r->l_ee[i] = l_ee;
    r->l_eee[i] = l_eee;
    r->l_eeee[i] = l_eeee;
}

/* l = y log eta - eta - log y!: l' = y/eta - 1,  l'' = -y/eta^2,  l''' = 2y/eta^3,
   l'''' = -6y/eta^4 */
void dlpi_poisson_identity(dlpi_rows *r, double tau, int order)
{
    (void)tau, (void)order;
    for (dlp_index i = 0; i < r->n; i++) {
        const double eta = r->eta[i], y = r->y[i], u = y / eta;
        if (eta > 0)
            put(r, i, (y > 0 ? y * log(eta) : 0) - eta, u - 1, -u / eta,
                2 * u / eta / eta, -6 * u / eta / eta / eta);
        else
            put(r, i, -INFINITY, 0, 0, 0, 0);
    }
}

/* l = 2y log eta - eta^2 - log y!: l' = 2y/eta - 2 eta,  l'' = -2y/eta^2 - 2,
   l''' = 4y/eta^3,  l'''' = -12y/eta^4 */
void dlpi_poisson_sqrt(dlpi_rows *r, double tau, int order)
{
    (void)tau, (void)order;
    for (dlp_index i = 0; i < r->n; i++) {
        const double eta = r->eta[i], y = r->y[i], u = 2 * y / eta;
        if (eta > 0)
            put(r, i, (y > 0 ? 2 * y * log(eta) : 0) - eta * eta, u - 2 * eta,
                -u / eta - 2, 2 * u / eta / eta, -6 * u / eta / eta / eta);
        else
            put(r, i, -INFINITY, 0, 0, 0, 0);
    }
}

double dlpi_positive_mean(double eta)
{
    return fmax(eta, 0);
}

double dlpi_squared_mean(double eta)
{
    return eta > 0 ? eta * eta : 0;
}
