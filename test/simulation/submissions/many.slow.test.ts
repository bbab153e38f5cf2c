import { showsSubmissions } from './shows-submissions.ts';

showsSubmissions(1_400, 101);
