#!/bin/sh
# A stand-in for tests and benchmarks, not Verus: prints one verified result and exits at once.
echo '{"func-details": {"candidate::f": {}}, "verification-results": {"encountered-error": false, "encountered-vir-error": false, "success": true, "verified": 1, "errors": 0, "is-verifying-entire-crate": true}}'
