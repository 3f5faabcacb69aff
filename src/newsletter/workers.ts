import type { Loop } from '../store/runtime.ts'

/** What the newsletter does on its own, each with its time. */
export const newsletterLoops: readonly Loop[] = []
