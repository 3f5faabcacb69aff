import { invalid } from '../../errors.ts'
import { TaskTimeout } from '../../store/heavy.ts'
import type { HeavyTask, Store } from '../../store/open.ts'
import { blocksOf } from '../email/document.ts'
import { type CompiledEmail, compileEmail, type EmailSource } from '../email/render.ts'
import { hasUtm, type UtmTags, withUtm } from '../tracking/utm.ts'

/** A message to compile on any thread. */
export interface CompileInput {
  source: Omit<EmailSource, 'rewriteLink'>
  /** Added to each link; null for none. */
  utm: UtmTags | null
}

/** Characters of JSON. The slowest known document of this length compiles in 20 ms of CPU. */
const SMALL = 10_000
/** The slowest known document of the largest size compiles in one second of CPU. */
const TIMEOUT_MS = 5000

/** Whether a document is so short that compiling it cannot delay other requests. The value may be anything. */
export function isSmall(document: unknown): boolean {
  return (JSON.stringify(document) ?? '').length <= SMALL
}

/**
 * Compiles a message: a small one at once, a larger one on another thread.
 * Throws VALIDATION_FAILED when that takes too long.
 */
export async function compileAside(store: Pick<Store, 'heavyTask'>, input: CompileInput): Promise<CompiledEmail> {
  if (isSmall(input.source.document) && isSmall(shownPosts(input.source))) return compile(input)
  try {
    return await store.heavyTask(compileTask, input)
  } catch (error) {
    if (error instanceof TaskTimeout) throw invalid('', 'This document takes too long to process.')
    throw error
  }
}

/** Compiles on this thread. The result of `rewriteLink` replaces a link that has its UTM tags. */
export function compile({ source, utm }: CompileInput, rewriteLink?: EmailSource['rewriteLink']): CompiledEmail {
  const tagged = utm && hasUtm(utm) ? (url: string) => withUtm(url, utm) : null
  return compileEmail({
    ...source,
    rewriteLink: rewriteLink ? (url, index) => rewriteLink(tagged?.(url) ?? url, index) : (tagged ?? undefined),
  })
}

export const compileTask: HeavyTask<CompileInput, CompiledEmail> = {
  name: 'compile_message',
  timeout_ms: TIMEOUT_MS,
  run: async (_, input) => compile(input),
}

/** The posts, as often as blocks may show them. */
function shownPosts({ document, posts }: CompileInput['source']): unknown[] {
  return [...blocksOf(document)].filter(({ type }) => type === 'cms_posts').map(() => posts)
}
