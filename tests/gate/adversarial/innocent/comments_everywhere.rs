// why: comments between all tokens
// base: halve
use /* c */ vstd::prelude::*;

verus! /* c */ {

spec /* c */ fn /* c */ half(x: /* c */ int) /* c */ -> /* c */ int /* c */ {
 /* c */  /* c */  /* c */  /* c */ x /* c */ / /* c */ 2
}

fn /* c */ halve(x: /* c */ u32) /* c */ -> /* c */ (r: /* c */ u32)
 /* c */  /* c */  /* c */  /* c */ ensures
 /* c */  /* c */  /* c */  /* c */  /* c */  /* c */  /* c */  /* c */ r /* c */ as /* c */ int /* c */ == /* c */ half(x /* c */ as /* c */ int),
{
 /* c */  /* c */  /* c */  /* c */ x /* c */ / /* c */ 2
}

} /* c */ // /* c */ verus!

fn /* c */ main() /* c */ {}
