/* SPDX-License-Identifier: BSD-3-Clause */
/* A model written down, and its data in memory: eight schools (data/README.md). */
#include <delaplace.h>
#include <stdio.h>

static const char text[] =
    "model {\n"
    "  for (j in 1:8) {\n"
    "    y[j] ~ dnorm(theta[j], 1 / s[j]^2)\n"
    "    theta[j] ~ dnorm(mu, 1 / tau^2)\n"
    "  }\n"
    "  mu ~ dnorm(0, 1.0E-4)\n"
    "  tau ~ dunif(0, 100)\n"
    "}\n";

int main(void)
{
    const double y[] = {28.39, 7.94, -2.75, 6.82, -0.64, 0.63, 18.01, 12.16};
    const double s[] = {14.9, 10.2, 16.3, 11.0, 9.4, 11.4, 10.4, 17.6};
    const dlp_index eight = 8;
    const dlp_bugs_array data[] = {{.name = "y", .n_dim = 1, .dim = &eight, .value = y},
                                   {.name = "s", .n_dim = 1, .dim = &eight, .value = s}};
    dlp_bugs_input input = dlp_bugs_input_default();
    dlp_bugs *model = NULL;
    dlp_error error = {0};
    input.model_text = text;
    input.data = data;
    input.n_data = 2;
    if (dlp_bugs_read(&input, &model, &error) == DLP_OK &&
        dlp_bugs_fit(model, NULL, &error) == DLP_OK) {
        const dlp_bugs_result *r = dlp_bugs_result_of(model);
        printf("%s\n", dlp_outcome_name(r->outcome));
        for (dlp_index i = 0; i < r->n_nodes; i++)
            printf("%-10s %7.3f %7.3f\n", r->node[i].name, r->node[i].margin.mean,
                   r->node[i].margin.sd);
    }
    if (error.message[0]) fprintf(stderr, "%s\n", error.message);
    dlp_bugs_free(model);
    return error.message[0] != '\0';
}
