import { AppError } from '../../errors.ts'
import type { ProjectId } from '../../ids.ts'
import { TaskTimeout } from '../../threads/heavy.ts'
import type { HeavyTask, Store } from '../../store/open.ts'
import { blocksOf, MAX_MERGE_TAGS, TOO_MANY_TAGS } from '../email/document.ts'
import { type CompiledEmail, compileEmail, type EmailSource } from '../email/render.ts'
import { isLinkTag, linkTag } from '../tracking/tracking.ts'
import { hasUtm, type UtmTags, withUtm } from '../tracking/utm.ts'

/** A message to compile on any thread. */
export interface CompileInput {
  project_id: ProjectId
  source: Omit<EmailSource, 'tagLink' | 'rewriteLink'>
  /** Added to each link; null for none. */
  utm: UtmTags | null
  /** Whether each link becomes the tag of a tracked one. */
  tracked?: boolean
}

export interface CompiledMessage extends CompiledEmail {
  /** The addresses of the tracked links, in the order of their tags. */
  tracked_urls: string[]
}

/** A document takes longer than messages may take, or would take it for each recipient. */
export class SlowDocument extends AppError {
  static readonly reason = 'This document takes too long to process.'

  constructor(message = SlowDocument.reason) {
    super('VALIDATION_FAILED', 'The request is not valid.', { details: [{ path: '', message }] })
  }
}

/** For `catch`: null for a slow document. */
export function slowAsNull(error: unknown): null {
  if (error instanceof SlowDocument) return null
  throw error
}

/** Characters of JSON. The slowest known document of this length compiles in 50 ms of CPU: blocks of faulty CSS. */
const SMALL = 10_000
/** The slowest known document of the largest size compiles in one second of CPU. */
const TIMEOUT_MS = 5000
/** Merge tags of the HTML and the text: both have those of the document, and some parts of the HTML stand twice. */
const MAX_SLOTS = 4 * MAX_MERGE_TAGS

/** Whether a document is so short that compiling it cannot delay other requests. The value may be anything. */
export function isSmall(document: unknown): boolean {
  return (JSON.stringify(document) ?? '').length <= SMALL
}

/** Compiles a message: a small one at once, a larger one on another thread. Throws SlowDocument. */
export async function compileAside(store: Pick<Store, 'heavyTask'>, input: CompileInput): Promise<CompiledMessage> {
  const message = await compiled(store, input)
  const slots = [...message.html, ...message.text].filter((part) => typeof part !== 'string' && !isLinkTag(part.tag))
  if (slots.length > MAX_SLOTS) throw new SlowDocument(TOO_MANY_TAGS)
  return message
}

async function compiled(store: Pick<Store, 'heavyTask'>, input: CompileInput): Promise<CompiledMessage> {
  if (isSmall(input.source.document) && isSmall(shownPosts(input.source))) return compile(input)
  try {
    return await store.heavyTask(compileTask, input)
  } catch (error) {
    if (error instanceof TaskTimeout) throw new SlowDocument()
    throw error
  }
}

function compile({ source, utm, tracked = false }: CompileInput): CompiledMessage {
  const tagLink = utm && hasUtm(utm) ? (url: string) => withUtm(url, utm) : undefined
  const tracked_urls: string[] = []
  const track = (url: string, index: number): string => {
    tracked_urls[index] = url
    return `{{ ${linkTag(index)} }}`
  }
  return { ...compileEmail({ ...source, tagLink, rewriteLink: tracked ? track : undefined }), tracked_urls }
}

export const compileTask: HeavyTask<CompileInput, CompiledMessage> = {
  name: 'compile_message',
  timeout_ms: TIMEOUT_MS,
  ownerOf: ({ project_id }) => project_id,
  run: async (_, input) => compile(input),
}

/** The posts, as often as blocks may show them. */
function shownPosts({ document, posts }: CompileInput['source']): unknown[] {
  return [...blocksOf(document)].filter(({ type }) => type === 'cms_posts').map(() => posts)
}
