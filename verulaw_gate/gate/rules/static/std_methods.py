"""Inherent methods of std types (Rust 1.95), stable ones only.

Only names that are inherent methods of exactly this type: what a trait provides is not listed, so
that a trait with a specification is never taken for a method without one.
"""

from __future__ import annotations

_STRING = """
as_bytes as_mut_str as_mut_vec as_str capacity chars clear drain extend_from_within from_utf8
insert insert_str into_boxed_str into_bytes into_chars is_empty leak len pop push push_str remove
replace_range reserve reserve_exact retain shrink_to shrink_to_fit split_off truncate
try_reserve try_reserve_exact
"""
_STR = """
as_bytes as_ptr bytes char_indices chars contains encode_utf16 ends_with eq_ignore_ascii_case
escape_debug escape_default escape_unicode find get get_unchecked into_string is_ascii
is_char_boundary is_empty len lines make_ascii_lowercase make_ascii_uppercase match_indices
matches parse repeat replace replacen rfind rmatches rsplit rsplit_once rsplitn rsplit_terminator
split split_ascii_whitespace split_at split_at_checked split_inclusive split_once
split_terminator split_whitespace splitn starts_with strip_prefix strip_suffix to_ascii_lowercase
to_ascii_uppercase to_lowercase to_uppercase trim trim_end trim_end_matches trim_matches
trim_start trim_start_matches
"""
_VEC = """
append as_mut_ptr as_mut_slice as_ptr as_slice capacity clear dedup dedup_by dedup_by_key drain
extend_from_slice extend_from_within extract_if insert into_boxed_slice is_empty leak len pop
pop_if push remove reserve reserve_exact resize resize_with retain retain_mut set_len shrink_to
shrink_to_fit spare_capacity_mut splice split_off swap_remove truncate try_reserve
try_reserve_exact
"""
_SLICE = """
array_windows as_chunks binary_search binary_search_by binary_search_by_key chunk_by chunks
chunks_exact chunks_exact_mut chunks_mut clone_from_slice concat contains copy_from_slice
copy_within ends_with escape_ascii fill fill_with first first_chunk first_mut get_many_mut
get_mut get_unchecked get_unchecked_mut is_ascii is_empty is_sorted is_sorted_by
is_sorted_by_key iter_mut join last last_chunk last_mut len partition_point rchunks rchunks_exact
repeat reverse rotate_left rotate_right rsplit rsplitn select_nth_unstable
select_nth_unstable_by select_nth_unstable_by_key sort sort_by sort_by_cached_key sort_by_key
sort_unstable sort_unstable_by sort_unstable_by_key split_at split_at_mut split_first split_last
split_inclusive splitn starts_with strip_prefix strip_suffix swap swap_with_slice to_vec windows
"""
_OPTION = """
and and_then as_deref as_deref_mut as_mut as_ref cloned copied expect filter flatten
get_or_insert get_or_insert_with insert inspect is_none is_none_or is_some is_some_and iter
iter_mut map map_or map_or_else ok_or ok_or_else or or_else replace take take_if transpose unwrap
unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked unzip xor zip
"""
_RESULT = """
and and_then as_deref as_deref_mut as_mut as_ref cloned copied err expect expect_err flatten
inspect inspect_err is_err is_err_and is_ok is_ok_and iter iter_mut map map_err map_or map_or_else
ok or or_else transpose unwrap unwrap_err unwrap_or unwrap_or_default unwrap_or_else
"""

INHERENT: dict[str, frozenset[str]] = {
    "String": frozenset(_STRING.split()),
    "str": frozenset(_STR.split()),
    "Vec": frozenset(_VEC.split()),
    "slice": frozenset(_SLICE.split()),
    "Option": frozenset(_OPTION.split()),
    "Result": frozenset(_RESULT.split()),
}
