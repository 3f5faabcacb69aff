/** The state of a review, in the words that its author reads of the version. */
export function reviewState<S extends string>(status: S) {
  return status === 'pending' ? 'in_review' : status
}
