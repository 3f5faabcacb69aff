import type { ProjectId } from '../ids.ts'
import type { HeavyTask } from '../store/open.ts'

/**
 * The HTML of a post for pages of others: known elements, links and pictures with safe schemes, no scripts, styles or
 * frames, balanced tags (docs/api/sites.md#posts).
 */
async function safeHtml(html: string): Promise<string> {
  const { default: sanitize } = await import('sanitize-html')
  return sanitize(html, {
    allowedTags: [...sanitize.defaults.allowedTags, 'img', 'picture', 'source', 'del', 'ins'],
    allowedAttributes: {
      a: ['href', 'hreflang', 'title'],
      img: ['src', 'srcset', 'sizes', 'alt', 'title', 'width', 'height'],
      source: ['srcset', 'sizes', 'media', 'type'],
      ol: ['start', 'type', 'reversed'],
      time: ['datetime'],
      th: ['colspan', 'rowspan', 'scope'],
      td: ['colspan', 'rowspan'],
      '*': ['lang', 'dir'],
    },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https'] },
    nestingLimit: 100,
  })
}

/** Sanitizing a long post takes long. */
export const safeHtmlTask: HeavyTask<{ project_id: ProjectId; html: string }, string> = {
  name: 'safe_html',
  timeout_ms: 5000,
  ownerOf: ({ project_id }) => project_id,
  run: async (_, { html }) => safeHtml(html),
}
