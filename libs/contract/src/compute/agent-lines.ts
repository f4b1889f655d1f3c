/** What starts an agent with a new secret, to paste: on the console's page and in a terminal. */

/** Only ids and secrets, of whose characters none means anything to a shell: nothing that a person has named. */
const safe = /^[0-9A-Za-z_]+$/

interface AgentSecret {
  readonly cluster_id: string
  readonly secret: string
}

export function agentLines({
  cluster_id,
  secret,
}: AgentSecret): readonly (readonly [where: string, lines: string])[] {
  if (![cluster_id, secret].every(text => safe.test(text))) throw new Error('not an id, or not a secret')
  const secrets = `AGENT_SECRETS=${cluster_id}=${secret}`
  const cluster = `CLUSTERS=${cluster_id}=NAMESPACE/MACHINE_DEPLOYMENT`
  return [
    [
      'Docker',
      `docker run --detach --restart unless-stopped --name svc-compute-agent \\
  -e NATS_URL=nats://BUS:4222 -e DRIVER=cluster-api \\
  -e ${cluster} \\
  -e ${secrets} \\
  -e KUBECONFIG=/etc/kubeconfig -v /etc/svc/kubeconfig:/etc/kubeconfig:ro \\
  svc-compute-agent
`,
    ],
    [
      'systemd',
      `sudo install -m 600 /dev/stdin /etc/svc-compute-agent.env <<'END'
NATS_URL=nats://BUS:4222
DRIVER=cluster-api
${cluster}
${secrets}
END
sudo tee /etc/systemd/system/svc-compute-agent.service >/dev/null <<'END'
[Unit]
Wants=network-online.target
After=network-online.target

[Service]
EnvironmentFile=/etc/svc-compute-agent.env
LoadCredential=kubeconfig:/etc/svc/kubeconfig
Environment=KUBECONFIG=%d/kubeconfig
ExecStart=/usr/bin/node /opt/svc/services/compute-agent/dist/main.js
DynamicUser=yes
Restart=always

[Install]
WantedBy=multi-user.target
END
sudo systemctl daemon-reload
sudo systemctl enable svc-compute-agent
sudo systemctl restart svc-compute-agent
`,
    ],
    [
      'Kubernetes',
      `# In components/compute-agent/kustomization.yaml: ${cluster}
kubectl -n svc create secret generic compute-agent --dry-run=client --output yaml \\
  --from-literal=${secrets} |
  kubectl apply --filename -
kubectl -n svc rollout restart deployment/compute-agent
`,
    ],
  ]
}

export const agentHint =
  'Replace BUS by the address of the bus, and NAMESPACE/MACHINE_DEPLOYMENT by where the machines of this cluster are. An agent of several clusters lists them, and their secrets, separated by commas.'

export const agentText = (made: AgentSecret): string =>
  [...agentLines(made).map(([where, lines]) => `${where}:\n\n${lines}`), agentHint].join('\n')
