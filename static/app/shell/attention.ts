import { signal } from '@preact/signals'

/** What is wrong, by the path of the page where it is mended: the side bar marks these entries. */
export const attention = signal<Readonly<Record<string, string>>>({})

/** Says what is wrong at a page, or that nothing is. */
export function setAttention(path: string, problem: string | null): void {
  const others = Object.entries(attention.peek()).filter(([other]) => other !== path)
  attention.value = Object.fromEntries([...others, ...(problem === null ? [] : [[path, problem]])])
}
