import { Kind, Type, TypeRegistry } from '@sinclair/typebox'
import { EmailDocument } from '../email/document.ts'

TypeRegistry.Set('CheckedLater', () => true)

/**
 * `editor_json` in a request. The OpenAPI document shows the whole schema of an email document; what is wrong with a
 * value is told by `checkDocument`, which names each place by the schema of its own block type.
 */
export const EditorJson = Type.Unsafe<unknown>({ ...EmailDocument, [Kind]: 'CheckedLater' })

/** What a campaign says before anything was written. */
export const EMPTY_DOCUMENT: EmailDocument = { version: 1, settings: {}, blocks: [] }
