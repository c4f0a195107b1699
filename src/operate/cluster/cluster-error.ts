/** Errors of commands about servers and cells. */
import { CodedError } from '../../core/errors.ts';

type ClusterFault =
  | 'cluster_absent'
  | 'cluster_audit'
  | 'cluster_busy'
  | 'cluster_cells'
  | 'cluster_distributed'
  | 'cluster_gateways'
  | 'cluster_unknown'
  | 'cluster_upgrade'
  | 'cluster_workers';

/** The installation cannot be distributed, or is not. The message names the fix. */
export class ClusterError extends CodedError<ClusterFault> {
  override readonly name = 'ClusterError';
}
