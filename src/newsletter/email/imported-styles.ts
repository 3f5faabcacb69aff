/** The rules with media queries of all imported HTML of a message, collected during rendering. */
export interface ImportedStyles {
  /** A class for one more block. Its rules select only inside this class. */
  nextScope(): string
  add(css: string): void
  css(): string
}

export function importedStyles(): ImportedStyles {
  let scopes = 0
  let sheet = ''
  return {
    nextScope: () => `x${++scopes}`,
    add(css) {
      sheet += css
    },
    css: () => sheet,
  }
}
