import { checkDocument } from '../../src/newsletter/email/document.ts'
import type { Design } from '../../src/newsletter/email/gallery/design.ts'
import type { EmailPost } from '../../src/store/tables/email-document.ts'
import { SAMPLE_VALUES } from '../../src/shared/merge-tags.ts'
import {
  type CompiledEmail,
  compileEmail,
  type EmailSource,
  type FilledEmail,
  fillEmail,
} from '../../src/newsletter/email/render.ts'

/** What a project fills the designs of the gallery with, for tests and for their pictures. */

const BRAND = {
  project_name: 'Harbour News',
  company_name: 'Harbour Press',
  postal_address: '12 Harbour Lane, Bristol BS1 4SB',
  footer_text: null,
  brand_color: '#1f4e79',
  logo_url: null,
}

export const POSTS: readonly EmailPost[] = [
  {
    title: 'Why the ferry is late on Tuesdays',
    slug: 'ferry',
    url: null,
    category: 'Town',
    date: 'May 14, 2026',
    excerpt: 'It has nothing to do with the wind. We rode along for a week and asked everyone who would talk to us.',
  },
  {
    title: 'A field guide to the gulls of the quay',
    slug: 'gulls',
    url: null,
    category: 'Nature',
    date: 'May 11, 2026',
    excerpt: 'Six kinds, four tempers, and one that has learnt to open the door of the bakery.',
  },
  {
    title: 'The net makers’ last winter',
    slug: 'nets',
    url: null,
    category: 'People',
    date: 'May 7, 2026',
    excerpt: 'Two sisters, a hundred years of knots between them, and a lease that ends in December.',
  },
  {
    title: 'What the tide left behind in April',
    slug: 'tide',
    url: null,
    category: 'Nature',
    date: 'May 2, 2026',
    excerpt: 'A list, with prices, of everything that was found on the beach and claimed by nobody.',
  },
]

const VALUES = { ...SAMPLE_VALUES, 'project.name': BRAND.project_name, date: 'May 15, 2026' }

/** A design of the gallery as a message of a made-up project. */
export function drawDesign(design: Design, more: Partial<EmailSource> = {}): FilledEmail & { compiled: CompiledEmail } {
  const document = checkDocument(design.document('https://harbour.example'), '')
  const compiled = compileEmail({
    document,
    subject: design.subject,
    brand: BRAND,
    locale: 'en-GB',
    posts: POSTS,
    custom_fields: [],
    ...more,
  })
  return { ...fillEmail(compiled, VALUES), compiled }
}
