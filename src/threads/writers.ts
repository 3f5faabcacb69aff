/** The numbers of the threads that write, by which the write queue knows them. The main thread is 0. */
export const LOOPS_WRITER = 1

/** @param thread the number of a thread that answers requests, from 1 */
export const answeringWriter = (thread: number): number => LOOPS_WRITER + thread
