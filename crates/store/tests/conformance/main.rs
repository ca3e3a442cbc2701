//! What every store must do, written once and run on each of them.
//!
//! A new store adds a function to [`fresh_store`] and one line at the end of this file. A new test
//! adds a function to its subject's file and its name to the list in `suite`.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

mod administration;
mod apply;
mod changed;
mod concurrency;
mod conversations;
mod erasure;
mod events;
mod fresh_store;
mod history;
mod keys;
mod knowledge;
mod messages;
mod records;
mod spaces;
mod vectors;
mod whole_spaces;

/// Runs tests of one subject on a fresh store each.
macro_rules! subject {
    ($store:ident, $subject:ident: $($test:ident)+) => {
        mod $subject {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $test() {
                    crate::$subject::$test(&crate::fresh_store::$store().await).await;
                }
            )+
        }
    };
}

/// Runs all there is on one store.
macro_rules! suite {
    ($store:ident) => {
        mod $store {
            subject!($store, apply:
                a_space_nobody_wrote_to_is_at_zero
                each_write_is_the_next_revision
                a_write_at_another_revision_conflicts_and_changes_nothing
                no_changes_are_no_write
                a_write_that_fails_half_way_leaves_nothing
                what_is_written_reads_back_exactly
                any_script_reads_back_exactly
                extremes_of_time_and_number_read_back
                very_many_changes_are_one_write
            );
            subject!($store, changed:
                only_what_changed_is_given
                memories_come_in_the_order_of_learning
                a_mention_brings_the_whole_entity
                an_entity_put_again_keeps_its_mentions
                a_reader_from_the_future_gets_nothing
                each_kind_of_effect_is_seen
            );
            subject!($store, erasure:
                an_erased_memory_leaves_ids_and_times_only
                an_erased_entity_leaves_ids_and_times_only
                what_is_written_again_after_erasure_is_not_erased
                erasing_in_the_write_that_made_it_leaves_nothing
                erasing_what_is_not_there_is_told_too
            );
            subject!($store, history:
                every_state_is_kept_in_order_with_who_made_it
                two_changes_in_one_write_are_two_versions
                an_unknown_memory_has_no_history
            );
            subject!($store, events:
                they_come_newest_first_with_their_stamps
                pages_meet_without_gap_or_repetition
                one_subject_can_be_asked_for
                a_page_of_nothing_is_empty
            );
            subject!($store, spaces:
                similar_names_never_meet
                the_same_ids_live_in_two_spaces
                erasing_in_one_space_leaves_the_other
            );
            subject!($store, concurrency:
                writers_of_one_space_lose_nothing
                a_failing_write_fails_alone
                a_reader_sees_whole_writes_only
                callers_who_leave_do_no_harm
                a_revision_is_never_older_than_the_acknowledged_write
            );
            subject!($store, records:
                each_write_replaces_the_value
                any_json_reads_back_exactly
                a_value_too_deep_to_read_is_refused
                only_what_changed_is_given
                an_erased_record_leaves_its_name_only
                kinds_and_spaces_never_meet
                receipts_are_read_by_name_only
                old_receipts_are_dropped_the_oldest_first
                dropping_receipts_leaves_all_other_records
                records_of_a_kind_are_listed_in_pages
                spaces_with_work_are_found
                what_recalld_keeps_for_its_own_work_is_no_event
            );
            subject!($store, conversations:
                they_read_back_exactly_in_the_order_of_beginning
                a_title_with_nul_can_be_read_back
                a_conversation_put_again_keeps_its_messages
                an_erased_conversation_takes_its_messages_along
                a_conversation_begun_again_has_nothing_of_the_former
                similar_conversations_and_spaces_never_meet
            );
            subject!($store, messages:
                they_read_back_exactly_in_order
                pages_go_back_from_the_end
                a_message_under_a_known_id_takes_its_place
                a_message_needs_its_conversation
                an_erased_message_leaves_its_id_only
                whoever_follows_has_what_a_reader_of_everything_has
            );
            subject!($store, knowledge:
                documents_read_back_with_their_chunks_in_order
                a_document_taken_in_again_has_its_new_chunks_only
                only_changed_documents_are_given
                an_erased_document_leaves_its_id_only
                the_same_document_lives_in_two_spaces
                chunks_that_meet_are_refused_whole
            );
            subject!($store, vectors:
                they_are_kept_by_model_and_dimension
                they_are_no_events
                only_later_ones_are_given
                they_go_with_the_memory
                they_go_with_the_chunks_of_a_document
                they_go_with_the_message
                what_a_model_has_still_to_do_is_counted
                a_vector_of_what_is_not_there_is_not_kept
                a_vector_of_another_dimension_is_refused
                those_of_other_models_are_dropped_piece_by_piece
                dropping_a_model_leaves_the_vectors_of_the_others
            );
            subject!($store, keys:
                they_read_back_exactly_the_oldest_first
                a_digest_or_id_is_taken_once
                a_key_is_revoked_once
                a_key_expires_at_the_earliest_time_given
                the_latest_use_counts
            );
            subject!($store, whole_spaces:
                nothing_of_an_erased_space_remains
                erasing_a_space_leaves_the_others
                the_keys_of_an_erased_user_go_with_the_space
                a_space_begun_again_meets_no_revision_of_its_former_life
                eras_never_go_back
                histories_come_in_pages_of_memories
            );
            subject!($store, administration:
                spaces_are_listed_in_pages
                spaces_with_expired_memories_are_found
                work_is_claimed_by_one_and_free_when_released_or_lapsed
                those_who_claim_together_share_the_work
                a_sound_store_has_no_faults_and_tells_its_figures
            );
        }
    };
}

suite!(sqlite_in_directory);
suite!(sqlite_in_memory);
suite!(postgres);
suite!(postgres_partitioned);
