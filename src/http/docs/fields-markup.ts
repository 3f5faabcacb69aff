import { html, type Markup } from '../core/markup.ts'
import type { FieldRow } from '../../shared/schema-fields.ts'

/** Fields of a request or answer, one below the other: name, type, whether it is required, and what it means. */
export function fieldList(rows: readonly FieldRow[]): Markup {
  return html`<ul class="fields">${rows.map(
    ({ name, required, type, refers_to, description, limits }) => html`<li><code>${name}</code> <span>${
      refers_to ? html`<a href="#type-${refers_to}">${type}</a>` : type
    }</span>${required && html` <b>required</b>`}
${meaning(description, limits)}</li>`,
  )}</ul>`
}

function meaning(description: string, limits: string): Markup | null {
  if (description === '' && limits === '') return null
  return html`<p>${description}${limits !== '' && html` <small>${limits}</small>`}</p>`
}
