import { type ComponentChild, type ComponentType, h, type VNode } from 'preact'
import { BLOCK_TYPES } from '../../src/newsletter/email/blocks.ts'
import type { BlockType } from '../../static/app/letter/block-types.ts'
import { EditorContext } from '../../static/app/letter/context.ts'
import type { Block, Design } from '../../static/app/letter/document.ts'
import { type Content, createEditor, type Editor, type TagChoice } from '../../static/app/letter/editor.ts'
import { TYPING } from '../../static/app/letter/live-text.tsx'

// A page loads it after its first paint; no test here waits for that.
TYPING.code.value = await import('../../static/app/letter/text-view.ts')

/** The types of blocks as the service lists them. */
export const TYPES = JSON.parse(JSON.stringify(BLOCK_TYPES)) as BlockType[]

export const block = (id: string, type = 'text', props: Record<string, unknown> = { html: id }): Block => ({
  ...{ id, type, props },
})

export const columns = (id: string, ...lists: Block[][]): Block =>
  block(id, 'columns', { columns: lists.map((blocks) => ({ blocks })) })

export function letter(blocks: Block[], settings: Design = {}, more: Partial<Content> = {}): Content {
  return { name: 'May', subject: 'Hi', preheader: '', document: { version: 1, settings, blocks }, ...more }
}

const TAGS: TagChoice[] = [
  { name: 'contact.first_name', fallback: 'reader', label: 'first name', description: 'Who reads it.' },
  { name: 'unsubscribe_url', fallback: '', label: 'unsubscribe link', description: 'The way to leave.' },
]

export function editorOf(content: Content): Editor {
  return createEditor({ content, types: TYPES, tags: TAGS })
}

/** A part of the editor, which finds it around itself. */
export function inEditor<P extends object>(editor: Editor, part: ComponentType<P>, props: P): VNode<any> {
  return h(EditorContext.Provider, { value: editor }, h(part as ComponentType<object>, props) as ComponentChild)
}
