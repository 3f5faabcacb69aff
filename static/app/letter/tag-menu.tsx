import type { EditorView } from 'prosemirror-view'
import { Menu } from '../ui/menu.tsx'
import { useEditor } from './context.ts'
import { insertTag } from './text-view.ts'

/** Inserts a merge tag at the caret of a text. */
export function TagMenu({ view, label = 'Insert a merge tag' }: { view: EditorView | null; label?: string }) {
  const { tags } = useEditor()
  return (
    <Menu
      label={label}
      icon="braces"
      small
      items={tags.value.map((tag) => ({
        label: tag.label,
        hint: tag.description,
        onSelect: () => view && insertTag(view, { name: tag.name, fallback: tag.fallback }),
      }))}
    />
  )
}
