/** Whether a status is a proxy's word that the portal behind it cannot be reached (deploy/Caddyfile). */
export const isAway = (status: number) => [502, 503, 504].includes(status);
