import { html, type Markup } from '../../core/markup.ts'

/** Parts that several pages of the portal share. */

/** The column heads of a table. Roles are explicit because CSS changes the display of small tables. */
export function columnHeads(titles: readonly (string | Markup)[]): Markup {
  const heads = titles.map((title) => html`<th scope="col" role="columnheader">${title}</th>`)
  return html`<thead role="rowgroup"><tr role="row">${heads}</tr></thead>`
}

/** A cell; on a narrow screen its label stands before it. */
export function cell(label: string, content: string | Markup): Markup {
  return html`<td role="cell" data-label="${label}">${content}</td>`
}

/** The name of a user as other members see it: the address without a name. */
export function personName({
  first_name,
  last_name,
  email,
}: {
  first_name: string
  last_name: string
  email: string
}): string {
  return `${first_name} ${last_name}`.trim() || email
}
