import { Type } from '@sinclair/typebox'
import { iso } from '../../../clock.ts'
import { requireFreeDisk } from '../../../disk.ts'
import { getProject } from '../../../projects/projects.ts'
import { Id, obj, Timestamp } from '../../../schema.ts'
import { addressBySlug } from '../../../sites/addresses.ts'
import {
  deleteSiteFile,
  listSiteFiles,
  MAX_FILE_BYTES,
  putSiteFile,
  readSiteFile,
  type SiteFile,
} from '../../../sites/site-files.ts'
import { ANY_TYPE, bodyOf, readFileBody } from '../../core/file-body.ts'
import { route } from '../../core/route.ts'
import { Success } from '../../core/schemas.ts'

/** The extension of the path tells the type of the file. */
const TAKES = ['multipart/form-data', ANY_TYPE]

const SiteFileRecord = obj({
  id: Id,
  path: Type.String(),
  url: Type.String(),
  type: Type.String(),
  bytes: Type.Integer(),
  created_on: Timestamp,
  last_update: Timestamp,
})

/** `/project/site-files/…` (docs/api/sites.md#files-of-a-site). */
export const siteFileRoutes = [
  route({
    method: 'POST',
    path: '/project/site-files/upload',
    summary: 'Puts a file at a path of the site, in place of the one that is there.',
    auth: 'session',
    role: 'editor',
    audit: { target: { answer: 'file' } },
    project: 'query',
    query: obj({ path: Type.String() }),
    takes: TAKES,
    max_body: bodyOf(MAX_FILE_BYTES),
    response: obj({ file: SiteFileRecord }),
    errors: ['INVALID_STATE', 'INSUFFICIENT_STORAGE'],
    async prepare({ path }, context) {
      await requireFreeDisk(context)
      const { bytes } = await readFileBody(context, TAKES, MAX_FILE_BYTES)
      return readSiteFile(path, bytes)
    },
    async write(_, { tx, project_id, base_url, now }, given) {
      const { file } = await putSiteFile(tx, project_id, given, now)
      return { file: record(base_url, (await getProject(tx, project_id)).slug, file) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/site-files/list',
    summary: 'The files of the site, by path.',
    auth: 'session',
    role: 'member',
    response: obj({ files: Type.Array(SiteFileRecord) }),
    async read(_, { db, project_id, base_url }) {
      const { slug } = await getProject(db, project_id)
      return { files: (await listSiteFiles(db, project_id)).map((file) => record(base_url, slug, file)) }
    },
  }),

  route({
    method: 'POST',
    path: '/project/site-files/delete',
    summary: 'Deletes a file of the site.',
    auth: 'session',
    role: 'editor',
    audit: { target: { kind: 'file', input: 'file_id' } },
    body: obj({ file_id: Id }),
    response: Success,
    errors: ['NOT_FOUND'],
    write: ({ file_id }, { tx, project_id }) => deleteSiteFile(tx, project_id, file_id),
  }),
]

function record(base_url: string, slug: string, { id, path, type, bytes, created_at, updated_at }: SiteFile) {
  return {
    id,
    path,
    url: addressBySlug(base_url, slug, path),
    type,
    bytes,
    created_on: iso(created_at),
    last_update: iso(updated_at),
  }
}
