import type { Role } from '../../src/store/tables/accounts.ts'
import type { FirstCall } from './api/document.ts'

/** A page of the application. Its component is the default export of its source, which `loaders.ts` names. */
export interface Page {
  /** The address below the document's root: `/campaigns/:id/edit`; `/` for its first page. */
  path: string
  /** The source path below `static/app`, without its extension. */
  source: string
  title: string
  /** The least role that the page is for. A member with a lower role sees who may use it instead. */
  role?: Role
  /** A style sheet beside `app.css` that the page needs. */
  style?: 'letter' | 'code'
  /** Calls whose answers are delivered with the document. */
  first?(at: { params: Record<string, string>; query: Record<string, string> }): FirstCall[]
}
