/** The state of a review, under the name that the app's author sees for the version. */
export function reviewState<S extends string>(status: S) {
  return status === 'pending' ? 'in_review' : status
}
