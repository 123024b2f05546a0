# SPDX-License-Identifier: BSD-3-Clause
"""The peer of a logistic regression: peers_sklearn.py TABLE.csv | --versions.

Prints the seconds of the processor for pandas to read, scikit-learn to fit, and both.
"""
import sys
import time

import pandas
import sklearn
from sklearn.linear_model import LogisticRegression

if sys.argv[1] == "--versions":
    print(f"pandas {pandas.__version__}, scikit-learn {sklearn.__version__}")
    sys.exit()

start = time.process_time()
table = pandas.read_csv(sys.argv[1])
read = time.process_time()
x, y = table.iloc[:, :-1].to_numpy(), table.iloc[:, -1].to_numpy()
ready = time.process_time()
# its penalty is the prior N(0, 1), without one on the intercept
LogisticRegression(C=1.0, solver="lbfgs").fit(x, y)
end = time.process_time()
print(f"read {read - start}\nfit {end - ready}\nboth {end - start}")
