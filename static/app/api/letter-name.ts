import { PLACEHOLDER, readPlaceholder, SAMPLE_VALUES } from '../../../src/shared/merge-tags.ts'
import { data } from './data.ts'

/** A subject or preview text as a sample person reads it: "Hello Ada" for `Hello {{ contact.first_name }}`. */
export function lineWords(line: string): string {
  return line.replaceAll(PLACEHOLDER, (_, inside: string) => {
    const { tag, fallback } = readPlaceholder(inside)
    const value = tag === 'project.name' ? data.project?.name : SAMPLE_VALUES[tag]
    return value ?? (fallback || `[${tag.replace(/^contact\.(?:custom\.)?/, '').replaceAll(/[._]/g, ' ')}]`)
  })
}

/** What a letter is called: its name, or its subject until it has one. */
export function letterName({ name, subject }: { name: string; subject: string }): string {
  return lineWords(name || subject).trim() || 'A letter without a subject'
}
