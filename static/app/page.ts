import type { Role } from '../../src/store/tables/accounts.ts'
import type { FirstCall } from './api/document.ts'

/** A page of the application. Its component is the default export of its source, which `loaders.ts` names. */
export interface Page {
  /** The address below the place's root: `/campaigns/:id/edit`; `/` for its first page. */
  path: string
  /** The source below `static/app`, without its ending. */
  source: string
  title: string
  /** The least role that the page is for. A member with less sees who may, in its place. */
  role?: Role
  /** A style sheet beside `app.css` that the page needs. */
  style?: 'letter' | 'code'
  /** Calls whose answers travel with the document. */
  first?(at: { params: Record<string, string>; query: Record<string, string> }): FirstCall[]
}
