import type { ComponentType } from 'preact'

/** What a page's component gets. Parameters of the path are in `params`, of the query in `query`. */
export interface PageProps {
  params: Record<string, string>
  query: Record<string, string>
}

type Load = () => Promise<{ default: ComponentType<PageProps> }>

/** The code of each page, by the source that the list of pages names. */
export const LOADERS: Readonly<Record<string, Load>> = {
  'site/home': () => import('./site/home.tsx'),
}
