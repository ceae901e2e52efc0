//! The common part of the odds classes of all games: requesting odds of one question or of many, and reading the answer.
//!
//! A Python class has one `#[pymethods]` block, so each macro takes the methods of the game and adds the common ones.

/// A question class: `sample` and `odds` besides the methods of the game.
macro_rules! question_class {
    (
        impl $Question:ident -> $Odds:ident {
            $(#[$sample_doc:meta])*
            fn sample;

            $(#[$odds_doc:meta])*
            fn odds(max_error = $max_error:tt);

            $($own:tt)*
        }
    ) => {
        #[pymethods]
        impl $Question {
            $(#[$sample_doc])*
            #[pyo3(signature = (
                n, *, seed=None, threads=None, progress=None, cancel=None, instruction_set=None, background=false
            ))]
            #[expect(clippy::too_many_arguments, reason = "the options of a long run")]
            fn sample(
                &self,
                py: Python<'_>,
                n: &Bound<'_, PyAny>,
                seed: Option<&Bound<'_, PyAny>>,
                threads: Option<&Bound<'_, PyAny>>,
                progress: Option<Py<PyAny>>,
                cancel: Option<&$crate::work::PyCancel>,
                instruction_set: Option<&Bound<'_, PyAny>>,
                background: bool,
            ) -> PyResult<$Odds> {
                let samples = $crate::args::samples("samples", Some(n))?;
                let ask = sengoku_kernel::odds::Ask::Sampled { samples };
                let options =
                    $crate::odds::Options { seed, threads, progress, cancel, instruction_set, background };
                $crate::odds::evaluate(py, &self.0, ask, &options).map($Odds)
            }

            $(#[$odds_doc])*
            #[pyo3(signature = (
                *, max_error=$max_error, max_samples=None, seed=None, threads=None, progress=None, cancel=None,
                background=false
            ))]
            #[expect(clippy::too_many_arguments, reason = "the options of a long run")]
            fn odds(
                &self,
                py: Python<'_>,
                max_error: f64,
                max_samples: Option<&Bound<'_, PyAny>>,
                seed: Option<&Bound<'_, PyAny>>,
                threads: Option<&Bound<'_, PyAny>>,
                progress: Option<Py<PyAny>>,
                cancel: Option<&$crate::work::PyCancel>,
                background: bool,
            ) -> PyResult<$Odds> {
                let max_samples = $crate::args::samples("max_samples", max_samples)?;
                let ask = sengoku_kernel::odds::Ask::Auto { max_error, max_samples };
                let instruction_set = None;
                let options =
                    $crate::odds::Options { seed, threads, progress, cancel, instruction_set, background };
                $crate::odds::evaluate(py, &self.0, ask, &options).map($Odds)
            }

            $($own)*
        }
    };
}

/// An answer class: the question, how the odds were found, probabilities and distributions, percentiles and `repr`.
macro_rules! odds_class {
    (
        $(#[$doc:meta])*
        class $name:literal in $module:literal = $Class:ident($Odds:ty);

        fn $question:ident -> $Question:ident;
        $(#[$method_doc:meta])*
        fn method;
        $(#[$samples_doc:meta])*
        fn samples;
        $(#[$error_doc:meta])*
        fn standard_error;
        $(#[$percentiles_doc:meta])*
        fn percentiles($attacker:path, $defender:path);

        probabilities of $Event:ty {
            $($(#[$event_doc:meta])* $event_name:ident: $event:path,)*
        }
        distributions {
            $($(#[$chances_doc:meta])* $chances_name:ident: $chances:expr,)*
        }
        methods {
            $($own:tt)*
        }
    ) => {
        $(#[$doc])*
        #[pyclass(name = $name, module = $module, frozen, eq)]
        #[derive(PartialEq)]
        pub(super) struct $Class(pub(super) $Odds);

        impl $Class {
            /// The probabilities by their names in Python.
            pub(super) const PROBABILITIES: &[(&'static str, $Event)] = &[$((stringify!($event_name), $event),)*];
        }

        #[pymethods]
        impl $Class {
            #[getter]
            fn $question(&self) -> $Question {
                $Question(Clone::clone(self.0.$question()))
            }

            $(#[$method_doc])*
            #[getter]
            fn method(&self) -> &'static str {
                $crate::odds::method(&self.0)
            }

            $(#[$samples_doc])*
            #[getter]
            fn samples(&self) -> u64 {
                sengoku_kernel::odds::Answer::sample_size(&self.0).unwrap_or(0)
            }

            $(#[$error_doc])*
            #[getter]
            fn standard_error(&self) -> f64 {
                sengoku_kernel::odds::Answer::standard_error(&self.0)
            }

            $(
                $(#[$event_doc])*
                #[getter]
                fn $event_name(&self) -> f64 {
                    self.0.probability($event)
                }
            )*

            $(
                $(#[$chances_doc])*
                #[getter]
                fn $chances_name<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
                    let chances: fn(&$Odds) -> Vec<f64> = $chances;
                    chances(&self.0).into_pyarray(py)
                }
            )*

            $(#[$percentiles_doc])*
            fn percentiles(
                &self,
                side: &Bound<'_, PyAny>,
                percentages: &Bound<'_, PyAny>,
            ) -> PyResult<Vec<usize>> {
                let side = $crate::odds::side(side, $attacker, $defender)?;
                Ok(self.0.percentiles(side, &$crate::odds::percentages(percentages)?))
            }

            fn __repr__(&self) -> String {
                let probability = |&(name, event): &(&'static str, $Event)| (name, self.0.probability(event));
                $crate::odds::repr($name, &self.0, Self::PROBABILITIES.iter().map(probability))
            }

            $($own)*
        }
    };
}

/// A function that finds the odds of many questions as columns: the probabilities, and what the game adds.
macro_rules! odds_of_many {
    (
        $(#[$doc:meta])*
        fn $name:ident($questions:ident: $wanted:literal $Question:ident, max_error = $max_error:tt) -> $Odds:ident {
            |$columns:ident| $more:block
        }
    ) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = (
            $questions, *, method, samples=None, max_error=$max_error, max_samples=None, seed=None, threads=None,
            cancel=None, background=false
        ))]
        #[expect(clippy::too_many_arguments, reason = "the options of a long run")]
        pub(super) fn $name<'py>(
            $questions: &Bound<'py, PyList>,
            method: &Bound<'_, PyAny>,
            samples: Option<&Bound<'_, PyAny>>,
            max_error: f64,
            max_samples: Option<&Bound<'_, PyAny>>,
            seed: Option<&Bound<'_, PyAny>>,
            threads: Option<&Bound<'_, PyAny>>,
            cancel: Option<&$crate::work::PyCancel>,
            background: bool,
        ) -> PyResult<Bound<'py, PyDict>> {
            let options = $crate::odds::Options { seed, threads, cancel, background, ..Default::default() };
            let batch = $crate::odds::Batch { method, samples, max_error, max_samples, options };
            let read = |item: &Bound<'_, PyAny>| Ok(item.extract::<$Question>()?.0);
            batch.evaluate($questions, $wanted, read, |$columns| {
                for &(name, event) in $Odds::PROBABILITIES {
                    $columns.number(name, move |odds| odds.probability(event));
                }
                $more
            })
        }
    };
}

pub(crate) use {odds_class, odds_of_many, question_class};
