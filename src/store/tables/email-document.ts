/** Email content as the store holds it. The schema is in newsletter/email/document.ts. */

type Side = 'start' | 'center' | 'left' | 'right'
type Dir = 'auto' | 'ltr' | 'rtl'

interface BlockProps {
  text: { html: string; align?: Side }
  html: { html: string }
  heading: {
    text: string
    level: number
    align?: Side
    dir?: Dir
    size?: number
    color?: string
    font_family?: string
  }
  button: { text: string; href: string; background_color?: string; text_color?: string; align?: Side }
  image: { src: string; alt: string; width?: number; href?: string; align?: Side }
  table: { rows: string[][]; header?: boolean; column_align?: Side[]; dir?: Dir }
  divider: { color?: string; thickness?: number }
  spacer: { height: number }
  social: { links: { network: string; href: string; label?: string }[]; align?: Side }
  cms_posts: { count?: number; category?: string; link?: string; layout?: 'list' | 'titles' }
}

/** A block that is also allowed inside columns. */
type InnerBlock = {
  [Type in keyof BlockProps]: { id: string; type: Type; props: BlockProps[Type] & { section_color?: string } }
}[keyof BlockProps]

interface Columns {
  id: string
  type: 'columns'
  props: {
    columns: { blocks: InnerBlock[]; share?: number }[]
    valign?: 'top' | 'middle' | 'bottom'
    stack?: boolean
    section_color?: string
  }
}

interface Footer {
  id: string
  type: 'footer'
  props: { text?: string; align?: Side; view_link?: boolean }
}

/** `editor_json` of campaigns and templates. */
export interface StoredDocument {
  version: 1
  settings: {
    background_color?: string
    content_width?: number
    font_family?: string
    text_color?: string
    link_color?: string
    preheader?: string
  }
  blocks: (InnerBlock | Columns | Footer)[]
}

/** A post for the block `cms_posts`. All fields are plain text. */
export interface EmailPost {
  title: string
  slug: string
  /** http or https; null when no page of the project shows the post. */
  url: string | null
  excerpt: string
  category: string
  /** Absent in what was kept while a post had no tag but its category. */
  tags?: readonly string[]
  /** Formatted in the language of the message. */
  date: string
}
