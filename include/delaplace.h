/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delaplace: fast, deterministic Bayesian inference for models that are not
 * conjugate, by Laplace and delta-method variational inference (Wang & Blei,
 * "Variational Inference in Nonconjugate Models", JMLR 14, 2013).
 *
 * The one public header. Read regression.h, topic_model.h or bugs.h to fit what the
 * command line fits; model.h to write a model of your own, and fit.h to fit it.
 *
 * The library never prints, exits or seeds. The state that it keeps outside of objects
 * changes no answer: where the BLAS is (around a call its thread count is set to one and put
 * back), which files are being written, so that a signal can remove them, and which are
 * mapped, so that a change on disk can be told. An object belongs to one thread at a time;
 * different objects may be used by different threads.
 *
 * Words that the headers use for one thing each:
 *
 *   objective  what a fit maximises or monitors: eq:monitor, completed, which
 *              approximates the log evidence log p(x). A method that approximates the
 *              log evidence directly, as expectation propagation does, has that instead.
 *   factor     of a table, as in R, a categorical variable, and a level is one of its
 *              values; of a variational posterior (bugs.h), one of the distributions whose
 *              product it is. What Cholesky's method makes of a matrix is a dlp_cholesky.
 *   term       in a formula, what is between two + signs (dlp_terms: all of them, with
 *              what they need to make columns); in a corpus, an entry of the vocabulary.
 *   scale      a positive parameter that is not a coefficient: exp(tau), the sd, shape or
 *              size of a family, that of a prior, an sd between levels. The constants of
 *              scale(x) in a formula are a dlp_scaling.
 *   group      rows that share parameters; a block is a part of a matrix, never a group.
 */
#ifndef DELAPLACE_H
#define DELAPLACE_H

#include <delaplace/adjacency.h>
#include <delaplace/bugs.h>
#include <delaplace/build.h>
#include <delaplace/check.h>
#include <delaplace/comparison.h>
#include <delaplace/corpus.h>
#include <delaplace/covariates.h>
#include <delaplace/design.h>
#include <delaplace/diagnostics.h>
#include <delaplace/draws.h>
#include <delaplace/effect_curve.h>
#include <delaplace/effects.h>
#include <delaplace/export.h>
#include <delaplace/family.h>
#include <delaplace/file.h>
#include <delaplace/fit.h>
#include <delaplace/formula.h>
#include <delaplace/glm.h>
#include <delaplace/hierarchy.h>
#include <delaplace/look.h>
#include <delaplace/model.h>
#include <delaplace/npy.h>
#include <delaplace/pattern.h>
#include <delaplace/prediction.h>
#include <delaplace/processes.h>
#include <delaplace/progress.h>
#include <delaplace/questions.h>
#include <delaplace/regression.h>
#include <delaplace/sbc.h>
#include <delaplace/simulate.h>
#include <delaplace/status.h>
#include <delaplace/sym.h>
#include <delaplace/table.h>
#include <delaplace/text.h>
#include <delaplace/topic_content.h>
#include <delaplace/topic_inference.h>
#include <delaplace/topic_labels.h>
#include <delaplace/topic_model.h>
#include <delaplace/topic_search.h>
#include <delaplace/topic_seeds.h>
#include <delaplace/topic_slices.h>
#include <delaplace/topic_stability.h>
#include <delaplace/topic_trend.h>
#include <delaplace/topic_update.h>
#include <delaplace/topic_words.h>
#include <delaplace/topics.h>
#include <delaplace/transform.h>
#include <delaplace/unigram.h>
#include <delaplace/verification.h>
#include <delaplace/version.h>

#endif
