import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Editor } from './editor.ts'

export const EditorContext = createContext<Editor | null>(null)

/** The editor that a component belongs to. */
export function useEditor(): Editor {
  return useContext(EditorContext)!
}
