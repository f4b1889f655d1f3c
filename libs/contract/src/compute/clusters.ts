/** Clusters over HTTP. Their compute settings are changed by operations of their own. */
import * as z from 'zod'
import { workspaceAdmin, workspaceMember } from '../core/access.ts'
import { idempotencyHeaders } from '../core/idempotency.ts'
import { computeSettings } from './compute-settings.ts'
import type { Operation } from '../core/operation.ts'
import {
  createdAt,
  idOf,
  nameText,
  page,
  pageQuery,
  pathId,
  queryInteger,
  unixSeconds,
} from '../core/text.ts'

const named = z.strictObject({
  name: nameText(100).describe('The name of the cluster, for people; it need not be unique.'),
})
const inPath = z.object({ id: pathId })

/** For so many hours it is known how many machines a cluster had: 30 days. */
export const keptHours = 720

const cluster = z
  .object({
    id: idOf('cluster', 'clus'),
    name: z.string().describe('For people; not unique.'),
    created_at: createdAt,
    compute_settings: computeSettings.describe('As they are now, with the etag for the next update.'),
    agent: z
      .object({
        has_secret: z.boolean().describe('Whether there is a secret with which it can connect.'),
        last_reported_at: unixSeconds
          .nullable()
          .describe(
            'When it last reported how many machines there are, in Unix seconds, to ten seconds; null: never.',
          ),
      })
      .describe('The program that applies the compute settings to the cluster.'),
  })
  .meta({ id: 'Cluster' })

const machineCount = z.object({
  at: unixSeconds.describe('When the hour began, in Unix seconds.'),
  least: z.int().describe('The smallest number that was reported in the hour.'),
  most: z.int().describe('The largest one.'),
})

export const clusterOperations = {
  create_cluster: {
    summary: 'Create a cluster; for owners and admins',
    http: { method: 'POST', path: '/clusters', status: 201 },
    access: workspaceAdmin,
    headers: idempotencyHeaders,
    body: named,
    output: cluster,
    replyHeaders: ['Idempotent-Replayed'],
    errors: ['Conflict', 'Unprocessable'],
  },
  list_clusters: {
    summary: 'List the clusters of the workspace',
    http: { method: 'GET', path: '/clusters', status: 200 },
    access: workspaceMember,
    query: pageQuery,
    output: page(cluster),
    errors: [],
    safe: true,
  },
  get_cluster: {
    summary: 'Read a cluster',
    http: { method: 'GET', path: '/clusters/{id}', status: 200 },
    access: workspaceMember,
    params: inPath,
    output: cluster,
    errors: ['ClusterNotFoundError'],
    safe: true,
  },
  list_machine_counts: {
    summary: 'List how many machines a cluster had, by hour',
    http: { method: 'GET', path: '/clusters/{id}/machines', status: 200 },
    access: workspaceMember,
    params: inPath,
    query: z.strictObject({
      hours: queryInteger(1, keptHours, 168).describe(
        'How many hours, of which the last one is the current one.',
      ),
    }),
    output: z.object({
      data: z.array(machineCount).describe('Oldest first; hours without a report are left out.'),
    }),
    errors: ['ClusterNotFoundError'],
    safe: true,
  },
  update_cluster: {
    summary: 'Rename a cluster; for owners and admins',
    http: { method: 'PATCH', path: '/clusters/{id}', status: 200 },
    access: workspaceAdmin,
    params: inPath,
    body: named,
    output: cluster,
    errors: ['ClusterNotFoundError'],
  },
  delete_cluster: {
    summary: 'Delete a cluster, unless an install refers to it; for owners and admins',
    http: { method: 'DELETE', path: '/clusters/{id}', status: 204 },
    access: workspaceAdmin,
    params: inPath,
    errors: ['ClusterNotFoundError', 'Conflict'],
    event: 'clusters.deleted',
  },
} as const satisfies Record<string, Operation>
