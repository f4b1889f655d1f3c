import { ada, at } from '../openapi/example-names.ts'

export const shopTrust = {
  id: 'trust_01k2bm9r8tfxy8w7h3c5d6e9qa',
  name: 'shop, main branch',
  issuer: 'https://token.actions.githubusercontent.com',
  claims: {
    repository_id: '74512389',
    repository_owner_id: '9919421',
    workflow_ref: 'acme/shop/.github/workflows/release.yml@refs/heads/main',
  },
  permissions: ['catalogue:read', 'catalogue:write', 'offers:read', 'offers:write'],
  minutes: 15,
  created_at: at(300),
  created_by: ada.id,
  last_used_at: null,
}

export const github = {
  issuer: shopTrust.issuer,
  name: 'GitHub Actions',
  must_pin: [
    ['repository_id', 'repository_owner_id', 'workflow_ref'],
    ['repository_id', 'repository_owner_id', 'job_workflow_ref', 'ref'],
    ['repository_id', 'repository_owner_id', 'job_workflow_ref', 'environment'],
  ],
}

export const gitlab = {
  issuer: 'https://gitlab.com',
  name: 'GitLab.com',
  must_pin: [
    ['project_id', 'namespace_id', 'ci_config_ref_uri', 'ref_protected=true'],
    ['project_id', 'namespace_id', 'ci_config_ref_uri', 'environment'],
  ],
}
