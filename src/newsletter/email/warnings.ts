/** Problems of a valid message that its author should know about. */
export const WARNING_CODES = [
  'size',
  'missing_alt',
  'link_without_text',
  'unknown_merge_tag',
  'low_contrast',
  'no_text',
  'no_posts',
  'removed_markup',
  'image_only',
  'misleading_link',
  'ip_address_link',
  'shortened_link',
  'shouting',
  'excessive_punctuation',
  'sample_text',
  'sample_link',
  'missing_page',
] as const
export type WarningCode = (typeof WARNING_CODES)[number]

export interface Warning {
  code: WarningCode
  message: string
  block_id?: string
}

export type Warn = (code: WarningCode, message: string) => void

/** Collects each distinct warning once, in order. `about` binds warnings to a block. */
export function collectWarnings(): { found: Warning[]; about: (block_id?: string) => Warn } {
  const found: Warning[] = []
  const seen = new Set<string>()
  return {
    found,
    about: (block_id) => (code, message) => {
      const key = `${block_id ?? ''}\n${code}\n${message}`
      if (!seen.has(key)) found.push(block_id === undefined ? { code, message } : { code, message, block_id })
      seen.add(key)
    },
  }
}
