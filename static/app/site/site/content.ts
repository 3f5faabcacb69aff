import { type RouteResponse, send } from '../../api/calls.ts'
import { projectId } from '../../api/data.ts'
import { useQuery } from '../../api/query.ts'

/** The data of the pages in the group "Site". The key of each answer begins with the path of its routes. */

export const PAGES = '/project/pages/'
export const POSTS = '/project/cms/posts/'
export const FILES = '/project/site-files/'
export const TEMPLATES = '/project/site-templates/'
export const DIRECTORY = '/project/directory/'
export const FORMS = '/project/form-entries/'

export type PageSummary = RouteResponse<'POST /project/pages/list'>['pages'][number]
export type WholePage = RouteResponse<'POST /project/pages/update'>['page']
export type PostSummary = RouteResponse<'POST /project/cms/posts/list'>['posts'][number]
export type WholePost = RouteResponse<'POST /project/cms/posts/update'>['post']
export type PostStatus = PostSummary['status']
export type SiteFile = RouteResponse<'POST /project/site-files/list'>['files'][number]
export type SiteTemplate = RouteResponse<'POST /project/site-templates/list'>['templates'][number]
export type Item = RouteResponse<'POST /project/directory/items/list'>['items'][number]
export type FormEntry = RouteResponse<'POST /project/form-entries/list'>['items'][number]

export function usePages() {
  return useQuery(`${PAGES}list`, () => send('POST /project/pages/list', { project_id: projectId() }))
}

export function usePage(page_id: number | null) {
  return useQuery(
    `${PAGES}get ${page_id}`,
    () => send('POST /project/pages/get', { project_id: projectId(), page_id: page_id! }),
    { enabled: page_id !== null },
  )
}

export function usePost(post_id: number) {
  return useQuery(`${POSTS}get ${post_id}`, () =>
    send('POST /project/cms/posts/get', { project_id: projectId(), post_id }),
  )
}

export function useSiteFiles() {
  return useQuery(`${FILES}list`, () => send('POST /project/site-files/list', { project_id: projectId() }))
}

export function useTemplates() {
  return useQuery(`${TEMPLATES}list`, () => send('POST /project/site-templates/list', { project_id: projectId() }))
}

export function useDirectories() {
  return useQuery(`${DIRECTORY}list`, () => send('POST /project/directory/list', { project_id: projectId() }))
}

export function useForms() {
  return useQuery(`${FORMS}forms`, () => send('POST /project/form-entries/forms', { project_id: projectId() }))
}
