/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * delaplace: fast, deterministic Bayesian inference for models that are not
 * conjugate, by Laplace and delta-method variational inference (Wang & Blei,
 * "Variational Inference in Nonconjugate Models", JMLR 14, 2013).
 *
 * The one public header. Read model.h to write a model, fit.h to fit it.
 * The library never prints, exits, seeds or keeps global state (around a call of LAPACK it
 * sets the thread count of OpenBLAS, MKL or BLIS to one and puts it back). Objects belong to one thread at a
 * time; different objects may be used by different threads.
 */
#ifndef DELAPLACE_H
#define DELAPLACE_H

#include <delaplace/build.h>
#include <delaplace/check.h>
#include <delaplace/corpus.h>
#include <delaplace/covariates.h>
#include <delaplace/design.h>
#include <delaplace/diagnostics.h>
#include <delaplace/effects.h>
#include <delaplace/export.h>
#include <delaplace/family.h>
#include <delaplace/file.h>
#include <delaplace/fit.h>
#include <delaplace/formula.h>
#include <delaplace/glm.h>
#include <delaplace/hierarchy.h>
#include <delaplace/model.h>
#include <delaplace/npy.h>
#include <delaplace/prediction.h>
#include <delaplace/progress.h>
#include <delaplace/regression.h>
#include <delaplace/simulate.h>
#include <delaplace/status.h>
#include <delaplace/sym.h>
#include <delaplace/table.h>
#include <delaplace/text.h>
#include <delaplace/topic_inference.h>
#include <delaplace/topic_model.h>
#include <delaplace/topic_search.h>
#include <delaplace/topic_trend.h>
#include <delaplace/topic_words.h>
#include <delaplace/topics.h>
#include <delaplace/transform.h>
#include <delaplace/unigram.h>
#include <delaplace/version.h>

#endif
