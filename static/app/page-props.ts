/** What a page's component gets: the parameters of its path and of its query. */
export interface PageProps {
  params: Record<string, string>
  query: Record<string, string>
}
