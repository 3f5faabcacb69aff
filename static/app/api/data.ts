import type { DocumentData } from '../../../src/shared/app-document.ts'

/** The data that the server wrote into this document. */
export const data = JSON.parse(document.getElementById('data')!.textContent!) as DocumentData

/** The public id of the project of this document. Throws on pages outside of projects. */
export function projectId(): string {
  if (!data.project) throw new Error('This page belongs to no project.')
  return data.project.id
}
