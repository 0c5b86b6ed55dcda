import { readable } from "../adapter/row.js";

const fields = `
  id source rating uploader_id uploader_name tag_string parent_id status post_id md5 md5_confirmation content_type
  file_size created_at updated_at`;

export const uploads = readable("upload", { fields }, [{ method: "POST", path: "/uploads", field: "createUpload" }]);
